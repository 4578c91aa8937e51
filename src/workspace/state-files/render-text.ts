import { isBlank } from "../../lib/blank.ts";
import { visible } from "../../lib/visible.ts";

/** The head of a rendered file: what it is, and that a change of it is lost. */
export function headOf(title: string): string[] {
  return [
    `# ${title}`,
    "",
    "This file is rendered from the project's log by `signalbox state-files`, which drivers call.",
    "What is changed here is lost; the log is changed by agents' tools and by signalbox commands.",
  ];
}

/** The first line that says something, of text that someone else wrote. */
export function oneLine(text: string): string {
  return visible(linesOf(text)[0] ?? "");
}

/** All lines that say something, each indented, so that none can pass for a heading of the file. */
export function indented(text: string, indent = "  "): string[] {
  return linesOf(text).map((line) => `${indent}${visible(line)}`);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r|\u2028|\u2029|\u0085/)
    .map((line) => line.trimEnd())
    .filter((line) => !isBlank(line));
}
