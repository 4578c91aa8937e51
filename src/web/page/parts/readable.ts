import { visible } from "../../../events/visible.ts";

/** A text of many lines that somebody else wrote: what would act on the page or hide in it stands there as `\u{…}`. */
export function readable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, visible);
}

/** The same in one line, without the marks of markdown around its words: where a row or a tip has room for no more. */
export function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return visible(line.replace(/(?<![\p{L}\p{N}*`])(\*\*?|`+)(?=\S)(.*?\S)\1(?![\p{L}\p{N}*`])/gu, "$2"));
}
