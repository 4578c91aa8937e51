import type { EventLog } from "../../events/log.ts";
import type { Microseconds } from "../../events/time.ts";
import { lastUpTo } from "../moments.ts";
import type { LogRange } from "./read-log.ts";

/** Bounds of a range, by position and by time, all included; what is absent bounds nothing. */
export interface LogBounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly since?: Microseconds | undefined;
  readonly until?: Microseconds | undefined;
}

/** The positions that lie within all bounds, as the log is now. */
export async function rangeWithin(log: EventLog, { from, to, since, until }: LogBounds): Promise<LogRange> {
  // Times are whole microseconds.
  const first = since === undefined ? 1 : (await lastUpTo(log, since - 1)) + 1;
  const last = until === undefined ? Number.POSITIVE_INFINITY : await lastUpTo(log, until);
  return { from: Math.max(first, from ?? 1), to: Math.min(last, to ?? Number.POSITIVE_INFINITY) };
}
