import { visible } from "../../../events/visible.ts";

/** A text of many lines in one, without the marks of markdown around its words. */
export function oneLine(text: string): string {
  return visible(
    text
      .replace(/\s+/g, " ")
      .replace(/(?<![\p{L}\p{N}*_`])(\*\*?|__?|`+)(?=\S)(.*?\S)\1(?![\p{L}\p{N}*_`])/gu, "$2"),
  );
}
