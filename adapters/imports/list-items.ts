import { isBlank } from "./core.ts";

/** The marks before an item of a list in Markdown: a bullet or a number, a check box, and Backlog.md's `#1`. */
const MARKS = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s*)?(?:#\d+\s+)?/;

/**
 * The items of a Markdown list, without their marks. Continuation lines belong to the item before;
 * without any item, each paragraph is one.
 */
export function listItems(markdown: string): string[] {
  const lines = markdown.split(/\r\n|\n|\r/);
  if (!lines.some((line) => MARKS.test(line))) {
    return markdown.split(/(?:\r\n|\n|\r)\s*(?:\r\n|\n|\r)/).flatMap((part) => part.trim() || []);
  }
  const items: string[] = [];
  for (const line of lines) {
    if (MARKS.test(line) || items.length === 0) items.push(line.replace(MARKS, "").trim());
    else if (!isBlank(line)) items.push(`${items.pop()}\n${line.trim()}`);
  }
  return items.filter((item) => !isBlank(item));
}
