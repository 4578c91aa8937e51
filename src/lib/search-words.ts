/*
 * Text search: matches words that begin with one of the searched words, ignoring case. A word is a
 * run of letters and digits.
 */

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a search, in lower case. */
export function wordsIn(text: string): string[] {
  return text.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
}

/** The matching word beginnings in a text, as ranges of characters, ascending. */
export function hitsIn(text: string, words: readonly string[]): (readonly [from: number, to: number])[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const lower = word.toLowerCase();
    const longest = Math.max(...words.map((begin) => (lower.startsWith(begin) ? begin.length : 0)), 0);
    if (longest === 0) return [];
    // Some letters are longer in lower case: such a word is highlighted as a whole.
    return [[index, index + (lower.length === word.length ? longest : word.length)] as const];
  });
}
