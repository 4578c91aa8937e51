import stringWidth from "string-width";

/** What people take for one character, such as an emoji of several. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Made when a text is the first that wants it: it takes its time, and most are plain. */
let segmenter: Intl.Segmenter | undefined;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  return isSimple(text) ? text.replaceAll(PICTURE, "  ").length : stringWidth(text);
}

/** The text as it is where it fits, else its beginning and `…`; never wider than `width` columns, and no character is cut. */
export function cut(text: string, width: number): string {
  if (isPlain(text) && text.length <= width) return text;
  let shown = "";
  let used = 0;
  let beforeMark = "";
  const characters = isSimple(text) ? text : Array.from(graphemes(text), ({ segment }) => segment);
  for (const character of characters) {
    used += widthOf(character);
    if (used > width) return width > 0 ? `${beforeMark}…` : "";
    shown += character;
    if (used < width) beforeMark = shown;
  }
  return shown;
}

/** Of letters that take one column each: most texts are, and to look up others takes longer than all else that a command does. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e…]*$/.test(text);
}

/** Besides, with single pictures, such as before the lines of signals: each code point is a character by itself. */
function isSimple(text: string): boolean {
  return /^(?:[\x20-\x7e…]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}(?=[\x20-\x7e…]|$))*$/u.test(text);
}

/** In a text that is simple: it takes two columns. */
const PICTURE = /[^\x20-\x7e…]/gu;
