import { visible } from "../../lib/visible.ts";

/**
 * The longest beginning of the visible text that fits `limit` UTF-16 units, without cutting an
 * escape.
 */
export function shownFromStart(
  characters: readonly string[],
  limit: number,
): { text: string; count: number } {
  let text = "";
  let count = 0;
  for (const character of characters) {
    const shown = shownCharacter(character);
    if (text.length + shown.length > limit) break;
    text += shown;
    count += 1;
  }
  return { text, count };
}

/** The longest end, in the same way. */
export function shownFromEnd(characters: readonly string[], limit: number): { text: string; count: number } {
  const shown: string[] = [];
  let length = 0;
  for (const character of [...characters].reverse()) {
    const next = shownCharacter(character);
    length += next.length;
    if (length > limit) break;
    shown.push(next);
  }
  return { text: shown.reverse().join(""), count: shown.length };
}

function shownCharacter(character: string): string {
  return character === "\n" || character === "\t" ? character : visible(character);
}
