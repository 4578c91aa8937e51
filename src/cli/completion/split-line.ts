/** A command line as far as the cursor: its whole words without their quotes, and the word that is being typed. */
export interface TypedLine {
  readonly words: readonly string[];
  readonly current: string;
  /** The characters of `current` that Bash does not replace: up to the last character that ends a word for readline. */
  readonly kept: number;
}

/**
 * Splits a line as Bash does, as far as completion needs it: nothing is expanded.
 *
 * @param line from its command to the cursor
 * @param breaks COMP_WORDBREAKS
 */
export function splitLine(line: string, breaks: string): TypedLine {
  const words: string[] = [];
  let current: string | undefined;
  let kept = 0;
  for (const [part, space, escaped, single, double, plain] of line.matchAll(PARTS)) {
    if (space !== undefined) {
      if (current !== undefined) words.push(current);
      current = undefined;
      kept = 0;
      continue;
    }
    const text = escaped ?? single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? plain ?? part;
    current = (current ?? "") + text;
    if (plain !== undefined && breaks.includes(plain)) kept = current.length;
  }
  const command = words.findIndex((word) => !/^\w+=/.test(word));
  return { words: words.slice(command + 1), current: current ?? "", kept };
}

/** A blank, an escaped character, a text in quotes that may not be closed yet, or one more character. */
const PARTS = /(\s+)|\\(.?)|'([^']*)'?|"((?:\\.|[^"\\])*)"?|(.)/gsu;
