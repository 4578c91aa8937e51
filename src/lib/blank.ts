/**
 * True for a text that shows nothing: empty, or only white space, control characters and zero-width
 * characters. Every required text is checked with this.
 */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** The braille pattern without dots, the only other character that renders as nothing. */
const SHOWS_NOTHING = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
