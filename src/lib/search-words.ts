/*
 * How a text is searched: for words that begin as those begin that are looked for, whatever their letter case. A word is a
 * run of letters and digits.
 */

const WORD = /[\p{L}\p{N}]+/gu;

/** The words that a search asks for, in small letters. */
export function wordsIn(text: string): string[] {
  return text.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
}

/** Where in a text its words begin as one of these does: from one character to before another, ascending. */
export function hitsIn(text: string, words: readonly string[]): (readonly [from: number, to: number])[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const lower = word.toLowerCase();
    const longest = Math.max(...words.map((begin) => (lower.startsWith(begin) ? begin.length : 0)), 0);
    if (longest === 0) return [];
    // Some letters are longer in their small form: such a word is a hit as a whole.
    return [[index, index + (lower.length === word.length ? longest : word.length)] as const];
  });
}
