import { visible } from "../core.ts";

/** Untrusted text of several lines: control and invisible characters become `\u{…}`. */
export function readable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, visible);
}

/** The same on one line, without markdown emphasis, for rows and tooltips. */
export function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return visible(line.replace(/(?<![\p{L}\p{N}*`])(\*\*?|`+)(?=\S)(.*?\S)\1(?![\p{L}\p{N}*`])/gu, "$2"));
}
