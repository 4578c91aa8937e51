import type { Entry, PartName, Prompt } from "./part.ts";

/**
 * The events behind the prompt entries that contain a line: exactly, else without its quote or list
 * mark, else as part of a line. Empty if the line belongs to the instructions.
 *
 * @param line as copied from the prompt, or some words of it
 * @returns positions, ascending; undefined if no line of the prompt has these words
 */
export function madeOf({ parts }: Pick<Prompt, "parts">, line: string): number[] | undefined {
  const said = parts.flatMap(({ name, lead = "", taken }) => [
    ...taken,
    ...(TELLING.has(name) ? [{ text: lead, positions: taken.flatMap(({ positions }) => positions) }] : []),
  ]);
  const bare = withoutMark(line);
  for (const matches of [
    (one: string) => one.trim() === line.trim(),
    (one: string) => withoutMark(one) === bare,
    (one: string) => bare !== "" && one.includes(bare),
  ]) {
    const saying = said.filter(({ text }) => text.split("\n").some(matches));
    if (saying.length > 0) return positionsOf(saying);
  }
  return undefined;
}

/** Parts whose lead refers to the same events as the entries below it. */
const TELLING: ReadonlySet<PartName> = new Set(["stuck", "last_session"]);

/**
 * A prompt quotes others' lines behind `> ` (an agent's) and `| ` (a human's); lists begin with `-
 * `.
 */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:[>|] ?)?(?:- )?/, "").trim();
}

function positionsOf(entries: readonly Pick<Entry, "positions">[]): number[] {
  return [...new Set(entries.flatMap(({ positions }) => positions))].sort((a, b) => a - b);
}
