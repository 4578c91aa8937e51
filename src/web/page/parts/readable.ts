import { visible } from "../../../events/visible.ts";

/** A text of many lines that somebody else wrote: what would act on the page or hide in it stands there as `\u{…}`. */
export function readable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, visible);
}

/** The same in one line, without the marks of bold words: where a row or a tip has room for no more. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return visible(
    lines
      .filter(Boolean)
      .join(" ")
      .replace(/(^|\s)\*\*([^*]+)\*\*/g, "$1$2"),
  );
}
