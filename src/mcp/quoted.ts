/**
 * A JSON string is also a TOML basic string once U+007F is escaped (TOML 1.0, String). Escapes the
 * other control characters too, since terminals obey them.
 */
export function quoted(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}

/** A JSON value as the content of a file. */
export function quotedText(value: unknown): string {
  return `${quoted(value, 2)}\n`;
}
