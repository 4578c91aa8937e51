/**
 * A list within a sentence, `3, 5, 8`; of a longer one the first ones and the number of the rest: `3, 5, … and 12 more`.
 *
 * @param limit.most so many are named: ten, if absent
 * @param limit.more how many there are besides these
 * @param limit.by what stands between two
 */
export function someOf(items: readonly (string | number)[], { most = 10, more = 0, by = ", " } = {}): string {
  const first = items.slice(0, most).join(by);
  const rest = Math.max(items.length - most, 0) + more;
  return rest > 0 ? `${first}${by === ", " ? " " : by}and ${rest} more` : first;
}
