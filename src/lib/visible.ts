/**
 * One line of untrusted text without anything that affects its display: control characters, other
 * line separators, direction marks and invisible characters become `\u{…}`. A tab becomes a blank.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? " " : `\\u{${code.toString(16)}}`;
  });
}

/** A text as one line: line breaks become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

/** The lines of a shell command, each made visible. As in the shell, only a newline ends a line. */
export function visibleLines(command: string): string[] {
  return command.split("\n").map(visible);
}

/**
 * A value as JSON for display: the escapes of `visible` are written as `\u…`, which means the same
 * in JSON.
 *
 * @param indent as in `JSON.stringify`
 */
export function visibleJson(value: unknown, indent?: number): string {
  // JSON cannot express undefined.
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
 * All except the two joiners, which some scripts and many emoji need. Tags (part of Cf) and the
 * variation selectors of the last range can smuggle invisible text past a reader.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/gu;
