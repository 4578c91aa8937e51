import { type AliasedExpression, sql } from "kysely";
import type { Learning } from "../../queries/learnings.ts";
import { type Open, question, type Tables, unsearched, valuesIn } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** A candidate learning, with the inputs of its rank. */
export interface Ranked {
  readonly id: number;
  /** How well it matches the words of the task: 1 for the best candidate, 0 for no common word. */
  readonly words: number;
  /** The position of its last report. */
  readonly last: number;
  readonly confirmations: number;
  /** Pinned by a human: belongs into every prompt that it applies to. */
  readonly pinned: boolean;
  readonly score: number;
}

/**
 * The learnings of some realms, pinned ones first, then by relevance to a text: matching words
 * (bm25), how recent their last report is in the log, and how often they were confirmed. Retired
 * ones are excluded. The number of candidates is limited, whatever the project has learned.
 *
 * @param realms as in the table `learnings`
 * @param scope the learnings' scope, since realms of tasks hold several
 */
export function rankLearnings(
  readModel: ReadModel,
  { realms, scope, about }: { realms: readonly string[]; scope: Learning["scope"]; about: string },
): Ranked[] {
  const given = { realms: JSON.stringify(realms), scope };
  const query = matchAny(about);
  const matches = query === undefined ? [] : readModel.all(MATCHING, { ...given, query });
  const best = Math.max(...matches.map(({ fit }) => fit), Number.MIN_VALUE);
  const words = new Map(matches.map(({ id, fit }) => [id, fit / best]));
  const candidates = new Map(
    [
      ...matches,
      ...readModel.all(NEWEST, given),
      ...readModel.all(CONFIRMED, given),
      ...readModel.all(PINNED, given),
    ].map((row) => [row.id, row]),
  );
  // Relative to the newest candidate, not to the log's head: unrelated events change no order.
  const newest = Math.max(...[...candidates.values()].map(({ last }) => last), 1);
  return [...candidates.values()]
    .map(({ id, last, confirmations, mark }) => {
      const fits = words.get(id) ?? 0;
      return {
        id,
        last,
        confirmations,
        pinned: mark === "pinned",
        words: fits,
        score: scoreOf({ words: fits, age: 1 - last / newest, confirmations }),
      };
    })
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.score - a.score || b.id - a.id);
}

/** Matching words weigh three times as much as being new, or as sixteen confirmations. */
function scoreOf(of: { words: number; age: number; confirmations: number }): number {
  return 3 * of.words + (1 - of.age) + Math.min(1, Math.log2(of.confirmations) / 4);
}

/**
 * An FTS5 query for any of the first words of a text, in the singular and the plural; undefined if
 * it has none. Each word is quoted, so that none is an operator. Prefix matching would find more,
 * and take ten times as long in a large log.
 */
function matchAny(text: string): string | undefined {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = all.filter((word) => word.length > 2 && !COMMON.has(word)).map(singular);
  const either = (word: string) => `"${word}" OR "${word}s"`;
  return words.length > 0 ? [...new Set(words)].slice(0, WORDS_LIMIT).map(either).join(" OR ") : undefined;
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/, "") : word;
}

const WORDS_LIMIT = 32;

/** Words that say nothing about the subject. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "all also and any are but can does each for from has have how into its more must not one only other out should " +
    "some such than that the their them then there these they this was were what when where which who why will with"
  ).split(" "),
);

type Among = { readonly realms: string; readonly scope: Learning["scope"] };

/** Looks up the last report only for the chosen ones. `fit`: 0 without a word search. */
function withLast(tables: Tables, chosen: AliasedExpression<Candidate, "c">) {
  return tables
    .selectFrom(chosen)
    .select(["c.id", "c.confirmations", "c.mark", "c.fit"])
    .select((one) =>
      one
        .selectFrom("learning_sources as s")
        .select(({ fn }) => fn.max("s.id").as("last"))
        .whereRef("s.learning_id", "=", "c.id")
        .$asScalar()
        .$notNull()
        .as("last"),
    );
}

type Candidate = Pick<Learning, "id" | "confirmations" | "mark"> & { readonly fit: number };

function among(tables: Tables, given: Open<Among>) {
  return tables
    .selectFrom("learnings as l")
    .select(["l.id", "l.confirmations", "l.mark", sql<number>`0`.as("fit")])
    .where("l.realm", "in", valuesIn<string>(given("realms")))
    .where("l.mark", "<>", "retired");
}

/** Newest first, not best first: SQLite then stops at the limit instead of ranking every match. */
const MATCHING = question<Among & { query: string }>()((tables, given) =>
  withLast(
    tables,
    tables
      .selectFrom("learnings_search")
      .crossJoin("learnings as l")
      .whereRef("l.id", "=", "learnings_search.rowid")
      .where("learnings_search.learnings_search", "match", given("query"))
      .where("l.realm", "in", valuesIn<string>(given("realms")))
      .where("l.scope", "=", given("scope"))
      .where("l.mark", "<>", "retired")
      .select(["l.id", "l.confirmations", "l.mark"])
      .select(({ ref }) => sql<number>`-bm25(${ref("learnings_search.learnings_search")})`.as("fit"))
      .orderBy("learnings_search.rowid", "desc")
      .limit(1000)
      .as("c"),
  ),
);
const NEWEST = question<Among>()((tables, given) =>
  withLast(
    tables,
    among(tables, given).where("l.scope", "=", given("scope")).orderBy("l.id", "desc").limit(200).as("c"),
  ),
);
const CONFIRMED = question<Among>()((tables, given) =>
  withLast(
    tables,
    among(tables, given)
      .where("l.scope", "=", given("scope"))
      .where("l.confirmations", ">", 1)
      .orderBy("l.confirmations", "desc")
      .orderBy("l.id", "desc")
      .limit(200)
      .as("c"),
  ),
);
/** Few are pinned: uses the index on that, not on the scope. */
const PINNED = question<Among>()((tables, given) =>
  withLast(
    tables,
    among(tables, given)
      .where(({ eb, ref }) => eb(unsearched(ref("l.scope")), "=", given("scope")))
      .where("l.mark", "=", "pinned")
      .orderBy("l.id", "desc")
      .limit(200)
      .as("c"),
  ),
);
