/**
 * One line of text that someone else wrote, with nothing in it that acts on what shows it: control characters, other
 * separators of lines, marks of writing direction and invisible characters stand there as `\u{…}`. A tab is a blank.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? " " : `\\u{${code.toString(16)}}`;
  });
}

/** The last two ranges are invisible in every font: text can be smuggled in them past a person who looks at it. */
const HIDDEN =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;
