import { duration } from "../lib/readable.ts";
import { fromIsoTime, type IsoTime, type Microseconds, toSeconds } from "../lib/time.ts";
import { eventAt, lastUpTo } from "./event-at.ts";
import type { EventLog } from "./log.ts";

/** The log's last events carry times in the future. */
export interface ClockLead {
  /** The first position with a future time: a clock was wrong then. */
  readonly from_position: number;
  /** The time of the log's last event. */
  readonly recorded_at: IsoTime;
  /** How far the last event is ahead of the clock, in whole seconds. */
  readonly seconds: number;
}

/**
 * How far a log's head lies in the future. Times in a log only grow: every event after one with a
 * wrong time is stamped later still, until the correct clock has caught up.
 *
 * @param now the time now
 * @returns undefined if the head is in the past, or at most a minute ahead (two hosts' clocks
 * differ)
 */
export async function clockLead(log: EventLog, now: Microseconds): Promise<ClockLead | undefined> {
  const last = await eventAt(log, await log.head());
  if (!last) return undefined;
  const lead_us = fromIsoTime(last.recordedAt) - now;
  if (lead_us <= TOLERANCE_US) return undefined;
  return {
    from_position: (await lastUpTo(log, now + TOLERANCE_US)) + 1,
    recorded_at: last.recordedAt,
    seconds: Math.floor(lead_us / 1_000_000),
  };
}

/** The message: the fault, and what to do about it. */
export function describeClockLead({ from_position, recorded_at, seconds }: ClockLead) {
  return {
    found:
      `the last event is stamped ${toSeconds(recorded_at)} UTC, ${duration(seconds)} ahead of this machine's clock; ` +
      `a wrong clock stamped position ${from_position}, and every later event follows it`,
    mend:
      "Set this machine's clock, and those of the others that write here. If they are right now: until they have caught up, " +
      `name positions instead of times (\`--at ${from_position - 1}\`), and do not trust metrics and budgets of a period.`,
  };
}

const TOLERANCE_US = 60_000_000;
