import type { Entry, Prompt } from "./part.ts";

/**
 * The events behind the entries of a prompt that have a line: as it stands there, else without the mark of a quote or a
 * list, else as part of a line. None where it is of the instructions, or of nothing.
 *
 * @param line as somebody copied it, or some words of it
 * @returns positions, ascending; undefined where no line of the prompt has these words
 */
export function madeOf({ parts }: Pick<Prompt, "parts">, line: string): number[] | undefined {
  const entries = parts.flatMap(({ taken }) => taken);
  const bare = withoutMark(line);
  for (const matches of [
    (one: string) => one.trim() === line.trim(),
    (one: string) => withoutMark(one) === bare,
    (one: string) => bare !== "" && one.includes(bare),
  ]) {
    const saying = entries.filter(({ text }) => text.split("\n").some(matches));
    if (saying.length > 0) return positionsOf(saying);
  }
  return undefined;
}

/** A prompt quotes the lines of others behind `> ` (an agent's) and `| ` (a human's); lists begin with `- `. */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:[>|] ?)?(?:- )?/, "").trim();
}

function positionsOf(entries: readonly Entry[]): number[] {
  return [...new Set(entries.flatMap(({ positions }) => positions))].sort((a, b) => a - b);
}
