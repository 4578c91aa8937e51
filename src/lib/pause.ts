/**
 * The delay before the next attempt to take the log's lock, in milliseconds (docs/decisions/0004).
 * Each attempt costs CPU of the lock's holder, so long waiters try less often; short waits get
 * equal delays, so that nobody starves.
 *
 * @param wait_ms the time waited so far
 * @param jitter from 0 to 1
 */
export function pauseAfter(wait_ms: number, jitter: number): number {
  return 1 + jitter * Math.min(Math.max(wait_ms / 50, 3), 25);
}
