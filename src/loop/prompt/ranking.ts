import type { ReadModel } from "../../projections/read-model.ts";

/** A learning that may go in, with what its rank follows from. */
export interface Ranked {
  readonly id: number;
  /** How well it fits the words of the task: 1 for the best of all candidates, 0 for none of the words. */
  readonly words: number;
  /** The position at which it was said last. */
  readonly last: number;
  readonly confirmations: number;
  /** A human wants it in every prompt that it concerns. */
  readonly pinned: boolean;
  readonly score: number;
}

/**
 * The learnings of some realms, the pinned ones first, then the most relevant to a text: by its words (bm25), by how late in
 * the log they were said, by how often. Retired ones are not among them. Only so many are looked at, whatever the project has learned.
 *
 * @param realms as in the table `learnings`
 * @param scope of the learnings, as realms of tasks hold several
 */
export function rankLearnings(
  readModel: ReadModel,
  { realms, scope, about }: { realms: readonly string[]; scope: string; about: string },
): Ranked[] {
  const among = { realms: JSON.stringify(realms), scope };
  const query = matchAny(about);
  const matches = query === undefined ? [] : statement(readModel, MATCHING).all({ ...among, query });
  const best = Math.max(...matches.map(({ fit }) => fit), Number.MIN_VALUE);
  const words = new Map(matches.map(({ id, fit }) => [id, fit / best]));
  const candidates = new Map(
    [
      ...matches,
      ...statement(readModel, NEWEST).all(among),
      ...statement(readModel, CONFIRMED).all(among),
      ...statement(readModel, PINNED).all(among),
    ].map((row) => [row.id, row]),
  );
  // By the newest of them and not by the log's head: what has nothing to do with learnings changes no order.
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

/** Words count for three times as much as being new, or as being confirmed sixteen times. */
function scoreOf(of: { words: number; age: number; confirmations: number }): number {
  return 3 * of.words + (1 - of.age) + Math.min(1, Math.log2(of.confirmations) / 4);
}

/**
 * A query of FTS5 for any of the first words of a text, in the singular and the plural; undefined if it has none. Each word is
 * quoted, so that none is an operator. Beginnings of words would find more, and take ten times as long in a large log.
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

/** Words that say nothing of what a text is about. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "all also and any are but can does each for from has have how into its more must not one only other out should " +
    "some such than that the their them then there these they this was were what when where which who why will with"
  ).split(" "),
);

interface Candidate {
  readonly id: number;
  readonly confirmations: number;
  readonly last: number;
  /** 0 where words were not looked for. */
  readonly fit: number;
  readonly mark: string;
}

/** When each was said last is looked up for the chosen ones alone. */
const withLast = (chosen: string) => `SELECT c.id, c.confirmations, c.mark, c.fit,
    (SELECT max(s.id) FROM learning_sources s WHERE s.learning_id = c.id) AS last
  FROM (${chosen}) c`;
const AMONG =
  "l.realm IN (SELECT value FROM json_each(:realms)) AND l.scope = :scope AND l.mark <> 'retired'";

/** Newest first, and not the best first: SQLite then stops at the limit, and need not weigh every match there is. */
const MATCHING = withLast(`SELECT l.id, l.confirmations, l.mark, -bm25(learnings_search) AS fit
  FROM learnings_search CROSS JOIN learnings l ON l.id = learnings_search.rowid
  WHERE learnings_search MATCH :query AND ${AMONG}
  ORDER BY learnings_search.rowid DESC LIMIT 1000`);
const NEWEST = withLast(
  `SELECT l.id, l.confirmations, l.mark, 0 AS fit FROM learnings l WHERE ${AMONG} ORDER BY l.id DESC LIMIT 200`,
);
const CONFIRMED = withLast(`SELECT l.id, l.confirmations, l.mark, 0 AS fit FROM learnings l
  WHERE ${AMONG} AND l.confirmations > 1 ORDER BY l.confirmations DESC, l.id DESC LIMIT 200`);
/** Few are pinned: found by that, and not by their scope. */
const PINNED = withLast(`SELECT l.id, l.confirmations, l.mark, 0 AS fit FROM learnings l
  WHERE ${AMONG.replace("l.scope", "+l.scope")} AND l.mark = 'pinned' ORDER BY l.id DESC LIMIT 200`);

function statement(readModel: ReadModel, sql: string) {
  return readModel.prepared<Record<string, string>, Candidate>(sql);
}
