import type { Microseconds } from "../../lib/time.ts";

/** The value at or below which half of the values are, by nearest rank; null of none. */
export function median(values: readonly number[]): number | null {
  return atRank(ascending(values), 0.5);
}

/** The sum of times, and how they are spread, in seconds; null of no times but for the sum. */
export function spreadInSeconds(times: readonly Microseconds[]) {
  const sorted = ascending(times);
  return {
    total_s: seconds(sum(times)),
    median_s: secondsOrNull(atRank(sorted, 0.5)),
    p90_s: secondsOrNull(atRank(sorted, 0.9)),
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The values that are not null. */
export function present<Value>(values: readonly (Value | null)[]): Value[] {
  return values.filter((value) => value !== null);
}

/** How often each value is there. */
export function countEach<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The largest; null of none. */
export function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b));
}

export function seconds(time: Microseconds): number {
  return time / 1_000_000;
}

function secondsOrNull(time: Microseconds | null): number | null {
  return time === null ? null : seconds(time);
}

/** The smallest value at or below which at least `share` of the values are: one of them, never a mean. */
function atRank(sorted: Float64Array, share: number): number | null {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

/** Numbers in an array of their own kind are sorted five times as fast. */
function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
