/** Numbers as people read them, in the terminal and on the page alike. */

/** A length of time like a clock: `4:12`; from an hour on `1:04:12`. @param milliseconds what is below 0, or no number, is 0 */
export function clockLength(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000)) || 0;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Millionths of a US dollar. What is unknown is not nothing: it is `–`. */
export function dollars(micro_usd: number | null): string {
  return micro_usd === null ? "–" : `$${(micro_usd / 1_000_000).toFixed(2)}`;
}
