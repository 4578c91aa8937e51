import type { Goal } from "../goals.ts";

/** What was measured of the page in one situation. */
export interface Measured {
  readonly what: string;
  /** Milliseconds. */
  readonly times: readonly number[];
  /** As of `WatchedPage.longestTask`. */
  readonly longest_ms: number;
  readonly goals: readonly Goal[];
}
