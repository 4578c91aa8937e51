import type { Entry, PartName, Prompt } from "./part.ts";

/**
 * The events behind the entries of a prompt that have a line: as it stands there, else without the mark of a quote or a
 * list, else as part of a line. None where it is of the instructions, or of nothing.
 *
 * @param line as somebody copied it, or some words of it
 * @returns positions, ascending; undefined where no line of the prompt has these words
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

/** Parts whose lead tells what happened, by the same events as the entries below it. */
const TELLING: ReadonlySet<PartName> = new Set(["stuck", "last_session"]);

/** A prompt quotes the lines of others behind `> ` (an agent's) and `| ` (a human's); lists begin with `- `. */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:[>|] ?)?(?:- )?/, "").trim();
}

function positionsOf(entries: readonly Pick<Entry, "positions">[]): number[] {
  return [...new Set(entries.flatMap(({ positions }) => positions))].sort((a, b) => a - b);
}
