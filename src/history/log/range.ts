import { Refusal } from "../../decisions/refusal.ts";
import { lastUpTo } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import { type Microseconds, toIsoTime } from "../../lib/time.ts";
import type { LogRange } from "./read-log.ts";

/** Bounds of a range, by position and by time, inclusive except `after`; absent bounds are open. */
export interface LogBounds {
  readonly from?: number | undefined;
  /** The only exclusive bound. */
  readonly after?: number | undefined;
  readonly to?: number | undefined;
  readonly since?: Microseconds | undefined;
  readonly until?: Microseconds | undefined;
}

/**
 * The positions within all bounds, as of now.
 *
 * @throws Refusal `not_possible`: a lower bound is after the upper one, so that the range is always
 * empty
 */
export async function rangeWithin(
  log: EventLog,
  { from, after, to, since, until }: LogBounds,
): Promise<LogRange> {
  if (from !== undefined && to !== undefined && from > to) {
    throw outOfOrder(`The first position, ${from}, is after the last, ${to}.`);
  }
  // A range after the head is empty but valid: repeated callers use it to wait for new events.
  if (after !== undefined && to !== undefined && after > to) {
    throw outOfOrder(`There is nothing after position ${after} up to ${to}.`);
  }
  if (since !== undefined && until !== undefined && since > until) {
    throw outOfOrder(`The start ${toIsoTime(since)} is after the end ${toIsoTime(until)}.`);
  }
  // Times are whole microseconds.
  const first = since === undefined ? 1 : (await lastUpTo(log, since - 1)) + 1;
  const last = until === undefined ? Number.POSITIVE_INFINITY : await lastUpTo(log, until);
  return {
    from: Math.max(first, from ?? 1, (after ?? 0) + 1),
    to: Math.min(last, to ?? Number.POSITIVE_INFINITY),
  };
}

function outOfOrder(what: string): Refusal {
  return new Refusal("not_possible", `${what} The range is empty: name the earlier one first.`);
}
