/** Numbers for people, in the terminal and on the page. */

/**
 * A duration like a clock: `4:12`; from an hour on `1:04:12`. @param milliseconds negative or NaN
 * counts as 0
 */
export function clockLength(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000)) || 0;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A duration in words: `850 ms`, `12.3 s`, `4 min 5 s`, `3 h 12 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}

/** `0 bytes`, `850 bytes`, `12 kB`, `3.4 MB`. */
export function bytes(count: number): string {
  if (count < 1_000) return counted(count, "byte");
  const [unit, size] =
    count < 1_000_000 ? ["kB", 1_000] : count < 1_000_000_000 ? ["MB", 1_000_000] : ["GB", 1_000_000_000];
  const amount = count / Number(size);
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${unit}`;
}

/** `1 file`, `2 files`. @param plural if it is not the noun plus s */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** `1st`, `2nd`, `11th`, `1,000th`. */
export function ordinal(number: number): string {
  return `${number.toLocaleString("en")}${ordinalSuffix(number)}`;
}

/** `st` of 1, `nd` of 2, `th` of 11. */
export function ordinalSuffix(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return (isTeen ? undefined : ["th", "st", "nd", "rd"][number % 10]) ?? "th";
}

/** `10 Jan 2026`. @param day in ISO 8601: `2026-01-10` */
export function dayInWords(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));
}

/** Millionths of a US dollar. Unknown is `–`, not 0. */
export function dollars(micro_usd: number | null): string {
  return micro_usd === null ? "–" : `$${(micro_usd / 1_000_000).toFixed(2)}`;
}
