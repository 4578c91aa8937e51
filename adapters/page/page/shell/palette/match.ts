/**
 * How well a text matches what was typed, whichever the letter case: each word must be in it; 3 is
 * a word that it begins with, 2 one that a word of it begins with, 1 any other, 0 no match at all.
 *
 * @returns the mean of the words; 1 for no words
 */
export function matchScore(typed: string, text: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scores = words.map((word) => wordScore(word, text.toLowerCase()));
  if (scores.length === 0) return 1;
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** The matching items of all groups: the group with the best match first, the best items first. */
export function rankGroups<Item extends Ranked>(typed: string, items: readonly Item[]): Item[] {
  const scored = items
    .map((item) => ({ item, score: scoreOf(typed, item) }))
    .filter(({ score }) => score > 0);
  const best = new Map<string, number>();
  for (const { item, score } of scored) best.set(item.group, Math.max(score, best.get(item.group) ?? 0));
  const bestOf = ({ group }: Item) => best.get(group) ?? 0;
  // Groups of equal rank keep their order.
  const order = [...best.keys()];
  return scored
    .sort(
      (a, b) =>
        bestOf(b.item) - bestOf(a.item) ||
        order.indexOf(a.item.group) - order.indexOf(b.item.group) ||
        b.score - a.score,
    )
    .map(({ item }) => item);
}

interface Ranked {
  readonly group: string;
  readonly text: string;
  /** True for a match that something else has found. */
  readonly isFound: boolean;
}

function scoreOf(typed: string, { text, isFound }: Ranked): number {
  return Math.max(matchScore(typed, text), isFound ? 1 : 0);
}

function wordScore(word: string, text: string): number {
  if (text.startsWith(word) || text.startsWith(`#${word}`)) return 3;
  if (!text.includes(word)) return 0;
  return text.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word)) ? 2 : 1;
}
