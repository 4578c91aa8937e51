import type { learningScopes } from "../../events/types/signals.ts";
import type { learningsTable } from "../learnings.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

/** An entry as users see it; the columns of the table but those that serve comparing. */
export interface Learning extends Omit<Row<typeof learningsTable>, "realm" | "digest"> {
  /** The feature that it concerns, or whose task; null where it concerns the whole project. */
  readonly feature: string | null;
}

export interface LearningFilter {
  /** Words, or beginnings of words, that all stand in its text or its rationale. */
  readonly search?: string | undefined;
  readonly scope?: (typeof learningScopes)[number] | undefined;
  readonly feature?: string | undefined;
}

/** What was learned, each thing once: in the order of ids, and with a search the best match first. */
export function listLearnings(readModel: ReadModel, filter: LearningFilter = {}): Learning[] {
  const { search, scope = null, feature = null } = filter;
  if (search === undefined) return readModel.prepared<Values, Learning>(LIST).all({ scope, feature });
  const words = matchAll(search);
  return words === undefined
    ? []
    : readModel.prepared<Values, Learning>(SEARCH).all({ scope, feature, words });
}

/** @returns undefined where there is no such entry */
export function findLearning(readModel: ReadModel, id: number): Learning | undefined {
  return readModel
    .prepared<{ scope: null; id: number }, Learning>(`${ENTRIES} AND l.id = :id`)
    .get({ scope: null, id });
}

type Values = Record<string, string | null>;

/** A learning is compared within its feature, or within its task where the projection knows no feature of that. */
const ENTRIES = `SELECT l.id, l.text, l.kind, l.scope,
    CASE WHEN l.scope <> 'project' THEN
      CASE WHEN l.realm LIKE 'feature %' THEN substr(l.realm, 9) ELSE t.feature END
    END AS feature,
    l.task_id, l.rationale, l.agent_words, l.confirmations, l.mark, l.mark_reason, l.marked_at, l.created, l.last_confirmed
  FROM learnings l LEFT JOIN tasks t ON t.id = l.task_id
  WHERE (:scope IS NULL OR l.scope = :scope)`;

const OF_FEATURE = "WHERE :feature IS NULL OR feature = :feature";

const LIST = `SELECT * FROM (${ENTRIES}) ${OF_FEATURE} ORDER BY id`;

const SEARCH = `SELECT e.* FROM learnings_search s JOIN (SELECT * FROM (${ENTRIES}) ${OF_FEATURE}) e ON e.id = s.rowid
  WHERE learnings_search MATCH :words ORDER BY s.rank, e.id`;

/** A query of FTS5 for all the words, each quoted so that none is an operator; undefined for a text without any. */
function matchAll(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.map((word) => `"${word}"*`);
  return words?.join(" AND ");
}
