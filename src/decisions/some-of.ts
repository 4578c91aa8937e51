/**
 * A list within a sentence, `3, 5, 8`; of a longer one the first ten and the number of the rest:
 * `3, 5, … and 12 more`.
 */
export function someOf(items: readonly (string | number)[]): string {
  const more = items.length - LISTED;
  const first = items.slice(0, LISTED).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

const LISTED = 10;
