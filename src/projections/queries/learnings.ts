import type { learningScopes } from "../../events/types/signals.ts";
import { PageError, type PartOf } from "../../page.ts";
import { wordsIn } from "../../search-words.ts";
import type { learningsTable } from "../learnings.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";
import type { Rows } from "./task-order.ts";

/** An entry as users see it; the columns of the table but those that serve comparing. */
export interface Learning extends Omit<Row<typeof learningsTable>, "realm" | "digest" | "split_from"> {
  /** The feature that it concerns, or whose task; null where it concerns the whole project. */
  readonly feature: string | null;
}

export interface LearningFilter {
  /** Words, or beginnings of words, that all stand in its text or its rationale. */
  readonly search?: string | undefined;
  readonly scope?: (typeof learningScopes)[number] | undefined;
  readonly feature?: string | undefined;
}

/**
 * What was learned, each thing once: in the order of ids, and with a search the best match first.
 *
 * @throws PageError: the search does not find what it should go on after, so nobody knows where that is
 */
export function listLearnings(
  readModel: ReadModel,
  filter: LearningFilter & PartOf<number> = {},
): Learning[] {
  const { search, scope = null, feature = null, after = 0, limit = -1 } = filter;
  const given = { scope, feature, after, limit };
  if (search === undefined) return readModel.prepared<object, Learning>(LIST).all(given);
  const words = matchAll(search);
  if (after > 0 && !readModel.prepared<object, unknown>(IS_FOUND).get({ words, after }))
    throw new PageError(after);
  return readModel.prepared<object, Learning>(SEARCH).all({ ...given, words });
}

/** A page of what was learned, with how much there is of each choice. */
export interface LearningPage {
  readonly total: number;
  /** How many of them are chosen, of which `rows` are some. */
  readonly found: number;
  /** How many have the words, by their scope, kind and mark, whatever else is chosen. */
  readonly counts: readonly LearningCount[];
  readonly rows: readonly Learning[];
}

export interface LearningCount extends Pick<Learning, "scope" | "kind" | "mark"> {
  readonly learnings: number;
}

export type LearningChoice = Pick<LearningFilter, "search" | "scope"> & {
  readonly kind?: Learning["kind"] | undefined;
  readonly mark?: Learning["mark"] | undefined;
};

/** What was learned, page by page: what is pinned first, then what was said last, and what is retired at the end. */
export function pageOfLearnings(
  readModel: ReadModel,
  { search, ...choice }: LearningChoice,
  { row, limit }: Rows,
): LearningPage {
  const words = search === undefined ? undefined : matchAll(search);
  const given = words === undefined ? {} : { words };
  const among = words === undefined ? "" : AMONG_FOUND;
  const counts = readModel
    .prepared<object, LearningCount>(
      `SELECT scope, kind, mark, count(*) AS learnings FROM learnings l ${among} GROUP BY scope, kind, mark`,
    )
    .all(given);
  const isChosen = ({ scope, kind, mark }: LearningCount) =>
    (choice.scope ?? scope) === scope && (choice.kind ?? kind) === kind && (choice.mark ?? mark) === mark;
  const { scope = null, kind = null, mark = null } = choice;
  const ids = readModel
    .prepared<object, { id: number }>(
      `SELECT l.id FROM learnings l ${among}
       WHERE (:scope IS NULL OR scope = :scope) AND (:kind IS NULL OR kind = :kind) AND (:mark IS NULL OR mark = :mark)
       ORDER BY CASE mark WHEN 'pinned' THEN 0 WHEN 'none' THEN 1 ELSE 2 END, last_confirmed DESC, l.id DESC
       LIMIT :limit OFFSET :row`,
    )
    .all({ ...given, scope, kind, mark, limit, row })
    .map(({ id }) => id);
  return {
    total:
      readModel.prepared<[], { learnings: number }>("SELECT count(*) AS learnings FROM learnings").get()
        ?.learnings ?? 0,
    found: counts.filter(isChosen).reduce((sum, { learnings }) => sum + learnings, 0),
    counts,
    rows: readModel.prepared<object, Learning>(OF_IDS).all({ scope: null, ids: JSON.stringify(ids) }),
  };
}

/** @returns undefined where there is no such entry */
export function findLearning(readModel: ReadModel, id: number): Learning | undefined {
  return readModel
    .prepared<{ scope: null; id: number }, Learning>(`${ENTRIES} AND l.id = :id`)
    .get({ scope: null, id });
}

/** A learning is compared within its feature, or within its task where the projection knows no feature of that. */
const ENTRIES = `SELECT l.id, l.text, l.kind, l.scope,
    CASE WHEN l.scope <> 'project' THEN
      CASE WHEN l.realm LIKE 'feature %' THEN substr(l.realm, 9) ELSE t.feature END
    END AS feature,
    l.task_id, l.rationale, l.agent_words, l.confirmations, l.mark, l.mark_reason, l.marked_at, l.created, l.last_confirmed
  FROM learnings l LEFT JOIN tasks t ON t.id = l.task_id
  WHERE (:scope IS NULL OR l.scope = :scope)`;

const OF_FEATURE = "WHERE (:feature IS NULL OR feature = :feature)";

const LIST = `SELECT * FROM (${ENTRIES}) ${OF_FEATURE} AND id > :after ORDER BY id LIMIT :limit`;

/** Every source is searched: who looks for what was said again may know it by the words of that time. */
const FOUND = `found AS MATERIALIZED (
  SELECT s.learning_id AS id, min(hit.rank) AS rank FROM (
    SELECT rowid AS id, rank FROM learning_sources_search WHERE learning_sources_search MATCH :words) hit
  JOIN learning_sources s ON s.id = hit.id GROUP BY s.learning_id)`;

const SEARCH = `WITH ${FOUND} SELECT e.* FROM found JOIN (SELECT * FROM (${ENTRIES}) ${OF_FEATURE}) e ON e.id = found.id
  WHERE :after = 0 OR (found.rank, e.id) > ((SELECT rank FROM found WHERE id = :after), :after)
  ORDER BY found.rank, e.id LIMIT :limit`;

const IS_FOUND = `WITH ${FOUND} SELECT 1 FROM found WHERE id = :after`;

const AMONG_FOUND = `JOIN (WITH ${FOUND} SELECT id FROM found) f ON f.id = l.id`;

const OF_IDS = `SELECT e.* FROM json_each(:ids) i CROSS JOIN (${ENTRIES}) e ON e.id = i.value ORDER BY i.key`;

/** A query of FTS5 for all the words, each quoted so that none is an operator; a text without any is found nowhere. */
function matchAll(text: string): string {
  const words = wordsIn(text);
  return words.length === 0 ? '""' : words.map((word) => `"${word}"*`).join(" AND ");
}
