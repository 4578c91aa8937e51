/**
 * A string in JSON is a basic string in TOML too, once U+007F is escaped (TOML 1.0, String). The rest of the control
 * characters goes with it, since a terminal obeys them.
 */
export function quoted(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
