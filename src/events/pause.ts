/**
 * How long to pause before the next attempt to get the log's lock, in milliseconds (docs/decisions/0004). Each attempt takes CPU
 * from the process that has the lock, so whoever waits long tries less often; those who wait shortly try alike, and nobody starves.
 *
 * @param wait_ms how long it has waited
 * @param jitter from 0 to 1
 */
export function pauseAfter(wait_ms: number, jitter: number): number {
  return 1 + jitter * Math.min(Math.max(wait_ms / 50, 3), 25);
}
