/**
 * A name in lower case, for comparisons that decide who somebody is: of ASCII letters alone. Unicode folds others into them, such as
 * the Kelvin sign into k.
 */
export function foldAscii(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
