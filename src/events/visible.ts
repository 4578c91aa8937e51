/**
 * Text that someone else wrote, so that it can be shown and never acts: control and bidi characters as escapes, a tab as
 * a blank. A line break is an escape too: split into lines first.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? " " : `\\u{${code.toString(16)}}`;
  });
}
