import type { EventLog } from "../../events/log.ts";
import { fromIsoTime, type IsoTime, toIsoTime } from "../../events/time.ts";
import { positionFrom } from "./moment.ts";
import type { LogRange } from "./read-log.ts";

/** Bounds of a range, by position and by time, all included; what is absent bounds nothing. */
export interface LogBounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly since?: IsoTime | undefined;
  readonly until?: IsoTime | undefined;
}

/** The positions that lie within all bounds, as the log is now. */
export async function rangeWithin(log: EventLog, { from, to, since, until }: LogBounds): Promise<LogRange> {
  const first = since === undefined ? 1 : await positionFrom(log, since);
  const last =
    until === undefined ? Number.POSITIVE_INFINITY : (await positionFrom(log, justAfter(until))) - 1;
  return { from: Math.max(first, from ?? 1), to: Math.min(last, to ?? Number.POSITIVE_INFINITY) };
}

/** Times are whole microseconds. */
function justAfter(time: IsoTime): IsoTime {
  return toIsoTime(fromIsoTime(time) + 1);
}
