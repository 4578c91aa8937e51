/** A text of at most `limit` characters; a cut is marked. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Without half of a surrogate pair at the cut.
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
