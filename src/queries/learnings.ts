import { sql } from "kysely";
import type { learningScopes } from "../events/types/signals.ts";
import { PageError, type PartOf } from "../lib/page.ts";
import { wordsIn } from "../lib/search-words.ts";
import type { learningsTable } from "../projections/learnings.ts";
import type { Row } from "../projections/table.ts";
import { fits, type Open, question, rowsIn, type Tables, unsearched } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
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
export function listLearnings(readModel: ReadView, filter: LearningFilter & PartOf<number> = {}): Learning[] {
  const { search, scope = null, feature = null, after = 0, limit = -1 } = filter;
  const given = { scope, feature, after, limit };
  if (search === undefined) return readModel.all(LIST, given);
  const words = matchAll(search);
  if (after > 0 && !readModel.get(IS_FOUND, { words, after })) throw new PageError(after);
  return readModel.all(SEARCH, { ...given, words });
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
  readModel: ReadView,
  { search, ...choice }: LearningChoice,
  { row, limit }: Rows,
): LearningPage {
  const ask = search === undefined ? PAGES.all : PAGES.found;
  const words = search === undefined ? "" : matchAll(search);
  const counts = readModel.all(ask.counts, { words });
  const isChosen = ({ scope, kind, mark }: LearningCount) =>
    (choice.scope ?? scope) === scope && (choice.kind ?? kind) === kind && (choice.mark ?? mark) === mark;
  const { scope = null, kind = null, mark = null } = choice;
  const ids = readModel.all(ask.ids, { words, scope, kind, mark, limit, row }).map(({ id }) => id);
  return {
    total: readModel.get(TOTAL, {})?.learnings ?? 0,
    found: counts.filter(isChosen).reduce((sum, { learnings }) => sum + learnings, 0),
    counts,
    rows: readModel.all(OF_IDS, { ids: JSON.stringify(ids) }),
  };
}

/** @returns undefined where there is no such entry */
export function findLearning(readModel: ReadView, id: number): Learning | undefined {
  return readModel.get(ENTRY, { id });
}

/** A learning is compared within its feature, or within its task where the projection knows no feature of that. */
function entries(tables: Tables) {
  return tables
    .selectFrom("learnings as l")
    .leftJoin("tasks as t", "t.id", "l.task_id")
    .select(["l.id", "l.text", "l.kind", "l.scope"])
    .select((eb) =>
      eb
        .case()
        .when("l.scope", "=", "project")
        .then<string | null>(null)
        .when("l.realm", "like", "feature %")
        .then(sql<string | null>`substr(${eb.ref("l.realm")}, 9)`)
        .else(eb.ref("t.feature"))
        .end()
        .as("feature"),
    )
    .select(["l.task_id", "l.rationale", "l.agent_words", "l.confirmations"])
    .select(["l.mark", "l.mark_reason", "l.marked_at", "l.created", "l.last_confirmed"]);
}

type Part = {
  readonly scope: Learning["scope"] | null;
  readonly feature: string | null;
  readonly after: number;
  readonly limit: number;
};

function matchingEntries(tables: Tables, given: Open<Part>) {
  return tables
    .selectFrom(
      entries(tables)
        .where(({ ref }) => fits(ref("l.scope"), given("scope")))
        .as("e"),
    )
    .selectAll()
    .where(({ ref }) => fits(ref("feature"), given("feature")));
}

/** Every source is searched: who looks for what was said again may know it by the words of that time. */
function withFound(tables: Tables, given: Open<{ words: string }>) {
  return tables.with(
    (name) => name("found").materialized(),
    (all) =>
      all
        .selectFrom((hits) =>
          hits
            .selectFrom("learning_sources_search")
            .select(["rowid as id", "rank"])
            .where("learning_sources_search", "match", given("words"))
            .as("hit"),
        )
        .innerJoin("learning_sources as s", "s.id", "hit.id")
        .select(({ fn }) => ["s.learning_id as id", fn.min("hit.rank").as("rank")])
        .groupBy("s.learning_id"),
  );
}

const ENTRY = question<{ id: number }>()((tables, given) => entries(tables).where("l.id", "=", given("id")));

const LIST = question<Part>()((tables, given) =>
  matchingEntries(tables, given).where("id", ">", given("after")).orderBy("id").limit(given("limit")),
);

const SEARCH = question<Part & { words: string }>()((tables, given) =>
  withFound(tables, given)
    .selectFrom("found")
    .innerJoin(matchingEntries(tables, given).as("e"), "e.id", "found.id")
    .selectAll("e")
    .where((eb) =>
      eb.or([
        eb(given("after"), "=", 0),
        eb(
          eb.refTuple("found.rank", "e.id"),
          ">",
          eb.tuple(
            eb
              .selectFrom("found as last")
              .where("last.id", "=", given("after"))
              .select("last.rank")
              .$asScalar()
              .$notNull(),
            given("after"),
          ),
        ),
      ]),
    )
    .orderBy("found.rank")
    .orderBy("e.id")
    .limit(given("limit")),
);

const IS_FOUND = question<{ words: string; after: number }>()((tables, given) =>
  withFound(tables, given).selectFrom("found").select("id").where("id", "=", given("after")),
);

const TOTAL = question()((tables) =>
  tables.selectFrom("learnings").select(({ fn }) => fn.countAll<number>().as("learnings")),
);

type Choice = {
  readonly words: string;
  readonly scope: Learning["scope"] | null;
  readonly kind: Learning["kind"] | null;
  readonly mark: Learning["mark"] | null;
};

/** The entries of sources that have the words. Without ranks, and by the indexes of both tables alone. */
function withWords(tables: Tables, given: Open<{ words: string }>) {
  const hits = tables
    .selectFrom("learning_sources_search")
    .select("rowid as id")
    .where("learning_sources_search", "match", given("words"));
  return tables
    .selectFrom("learning_sources as s")
    .select("s.learning_id as id")
    .where(({ ref }) => unsearched(ref("s.id")), "in", hits);
}

/** @param isSearch whether it is of those alone that have the words */
function pageOf(isSearch: boolean) {
  const among = (tables: Tables, given: Open<{ words: string }>) =>
    tables
      .selectFrom("learnings as l")
      .$if(isSearch, (all) =>
        all.where(({ ref }) => unsearched(ref("l.id")), "in", withWords(tables, given)),
      );
  return {
    counts: question<{ words: string }>()((tables, given) =>
      among(tables, given)
        .select(({ fn }) => ["l.scope", "l.kind", "l.mark", fn.countAll<number>().as("learnings")])
        .groupBy(["l.scope", "l.kind", "l.mark"]),
    ),
    ids: question<Choice & Rows>()((tables, given) =>
      among(tables, given)
        .select("l.id")
        .where(({ ref }) => fits(ref("l.scope"), given("scope")))
        .where(({ ref }) => fits(ref("l.kind"), given("kind")))
        .where(({ ref }) => fits(ref("l.mark"), given("mark")))
        .orderBy((eb) => eb.case("l.mark").when("pinned").then(0).when("none").then(1).else(2).end())
        .orderBy("l.last_confirmed", "desc")
        .orderBy("l.id", "desc")
        .limit(given("limit"))
        .offset(given("row")),
    ),
  };
}

const PAGES = { all: pageOf(false), found: pageOf(true) };

const OF_IDS = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom(rowsIn<number>(given("ids")).as("i"))
    .crossJoin(entries(tables).as("e"))
    .whereRef("e.id", "=", "i.value")
    .selectAll("e")
    .orderBy("i.key"),
);

/** A query of FTS5 for all the words, each quoted so that none is an operator; a text without any is found nowhere. */
function matchAll(text: string): string {
  const words = wordsIn(text);
  return words.length === 0 ? '""' : words.map((word) => `"${word}"*`).join(" AND ");
}
