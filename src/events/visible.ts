/**
 * One line of text that someone else wrote, with nothing in it that acts on what shows it: control characters, other
 * separators of lines, marks of writing direction and invisible characters stand there as `\u{…}`. A tab is a blank.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? " " : `\\u{${code.toString(16)}}`;
  });
}

/** A text as one line: where it has line breaks, a space. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

/** The lines of a command that a shell is given, each made visible. Only a newline ends one, as for the shell. */
export function visibleLines(command: string): string[] {
  return command.split("\n").map(visible);
}

/**
 * A value as JSON for who may look at it: what `visible` shows as an escape stands there as `\\u…`, which says the same in JSON.
 *
 * @param indent as of `JSON.stringify`
 */
export function visibleJson(value: unknown, indent?: number): string {
  // What JSON has no word for is nothing.
  return (JSON.stringify(value, null, indent) ?? "null").replace(HIDDEN, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join(""),
  );
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/**
 * All but the two joiners, which some scripts and many emoji need. In tags (a part of Cf) and in the variation
 * selectors of the last range a text can be smuggled past a person who looks at it.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/gu;
