/**
 * How long to pause before the next attempt to get the log's lock, in milliseconds (docs/decisions/0004). Each attempt takes CPU
 * from the process that has the lock, so where many wait, each tries less often.
 *
 * @param wait_ms the longer of this wait and the last: so all who wait try about equally often, and nobody falls behind by waiting
 * @param jitter from 0 to 1
 */
export function pauseAfter(wait_ms: number, jitter: number): number {
  return 1 + jitter * Math.min(Math.max(wait_ms / 2, 3), 100);
}
