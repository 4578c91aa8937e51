import stringWidth from "string-width";

/** What people take for one character, such as an emoji of several. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Made when a text is the first that wants it: it takes its time, and most are plain. */
let segmenter: Intl.Segmenter | undefined;

/** How many columns of a terminal a text takes. Most are of letters that take one each, which need not be looked up. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** The text as it is where it fits, else its beginning and `…`; never wider than `width` columns, and no character is cut. */
export function cut(text: string, width: number): string {
  if (isPlain(text) && text.length <= width) return text;
  let shown = "";
  let used = 0;
  let beforeMark = "";
  for (const { segment } of graphemes(text)) {
    used += widthOf(segment);
    if (used > width) return width > 0 ? `${beforeMark}…` : "";
    shown += segment;
    if (used < width) beforeMark = shown;
  }
  return shown;
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e…]*$/.test(text);
}
