/**
 * True for a text that shows nothing: it is empty, or of white space, control characters and characters without width
 * alone. All that must say something is looked at by this.
 */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** The braille pattern without dots is the only other character that is drawn as nothing. */
const SHOWS_NOTHING = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
