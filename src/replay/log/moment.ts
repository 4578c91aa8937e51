import type { EventLog } from "../../events/log.ts";
import { type IsoTime, toIsoTime } from "../../events/time.ts";

/**
 * The instant that a person names: `2026-11-21T06:22:20.5Z`, with an offset or without one (then it is UTC), or a date,
 * which stands for its beginning or its end.
 *
 * @returns undefined for any other text
 */
export function parseMoment(text: string, edge: "start" | "end"): IsoTime | undefined {
  const found = ISO.exec(text.trim());
  if (!found) return undefined;
  const { date = "", time, fraction = "", zone = "Z" } = found.groups ?? {};
  const milliseconds = Date.parse(`${date}T${withSeconds(time)}${zone.toUpperCase()}`);
  // The calendar has no 30th of February, though Date.parse may make another day of it.
  if (Number.isNaN(milliseconds) || !isDay(date)) return undefined;
  if (time === undefined && edge === "end") return toIsoTime((milliseconds + DAY_MS) * 1_000 - 1);
  return toIsoTime(milliseconds * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6)));
}

/** The position of the first event that was recorded at a time or after it; one above the head where there is none. */
export async function positionFrom(log: EventLog, time: IsoTime): Promise<number> {
  let low = 1;
  let high = (await log.head()) + 1;
  // No two events have the same time, and a later one has a higher position.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await log.read(middle - 1, 1);
    if (event && event.recordedAt < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ISO =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d)?)(?:\.(?<fraction>\d{1,9}))?(?<zone>[Zz]|[+-]\d\d:\d\d)?)?$/;
const DAY_MS = 86_400_000;

function withSeconds(time = "00:00:00"): string {
  return time.length === 5 ? `${time}:00` : time;
}

function isDay(date: string): boolean {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && toIsoTime(milliseconds * 1_000).startsWith(date);
}
