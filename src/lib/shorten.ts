/** A text of at most `limit` characters; what is left out of a longer one is marked. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Without the half of a surrogate pair that a cut may leave.
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
