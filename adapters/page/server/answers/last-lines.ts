import { shorten } from "../core.ts";

/** The end of what a command printed, where the reason for a failure is. */
export function lastLines(output: string): string {
  return output
    .trimEnd()
    .split("\n")
    .slice(-LINES)
    .map((line) => shorten(line, LINE))
    .join("\n");
}

const LINES = 40;
const LINE = 2_000;
