import {
  type ChartDay,
  type EventLog,
  eventAt,
  fromIsoTime,
  lastUpTo,
  type Microseconds,
  toIsoTime,
} from "./core.ts";

/** A range of days in a time zone. */
interface Window {
  readonly days: number;
  readonly zone: string;
  /** The last day; absent or in the future: today. */
  readonly until?: string | undefined;
}

/**
 * The days of a range, without those before the first event.
 *
 * @returns also the day of the last event; null in an empty log
 */
export async function lastDays(
  log: EventLog,
  now: Microseconds,
  { days, zone, until }: Window,
): Promise<{ from: number; to: number; days: ChartDay[]; last_event: string | null }> {
  const present = dayAt(now / 1_000, zone);
  const today = until !== undefined && until < present ? until : present;
  const first = dayAfter(today, 1 - days);
  const from = startOf(first, zone);
  const to = startOf(dayAfter(today, 1), zone);
  const [begun] = await log.read(0, 1);
  const ended = await eventAt(log, await log.head());
  if (!begun || !ended) return { from, to, days: [], last_event: null };
  const last_event = dayAt(fromIsoTime(ended.recordedAt) / 1_000, zone);
  const begins = dayAt(fromIsoTime(begun.recordedAt) / 1_000, zone);
  const found: ChartDay[] = [];
  let day = begins > first ? begins : first;
  let after = await lastUpTo(log, startOf(day, zone) * 1_000 - 1);
  for (; day <= today; day = dayAfter(day, 1)) {
    const [start, end] = [startOf(day, zone), startOf(dayAfter(day, 1), zone)];
    const upto = await lastUpTo(log, end * 1_000 - 1);
    found.push({ day, after, upto, start, end });
    after = upto;
  }
  return { from, to, days: found, last_event };
}

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The day of a time, such as `2026-02-11`. */
function dayAt(milliseconds: number, zone: string): string {
  return wallClock(milliseconds, zone).slice(0, 10);
}

function dayAfter(day: string, days: number): string {
  return toIsoTime((Date.parse(`${day}T00:00Z`) + days * DAY_MS) * 1_000).slice(0, 10);
}

/** When a day begins in a zone. */
function startOf(day: string, zone: string): number {
  const wanted = Date.parse(`${day}T00:00Z`);
  const ahead = (milliseconds: number) => Date.parse(`${wallClock(milliseconds, zone)}Z`) - milliseconds;
  // Twice, since the offset at local midnight may differ from that at midnight in UTC.
  return wanted - ahead(wanted - ahead(wanted));
}

/** The local time in a zone: `2026-02-11T10:23:15`. */
function wallClock(milliseconds: number, zone: string): string {
  return formatOf(zone)
    .format(Math.floor(milliseconds / 1_000) * 1_000)
    .replace(" ", "T");
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    // The Swedish format is that of ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formats.set(zone, format);
  }
  return format;
}

/** A cache: formats are expensive to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

const DAY_MS = 86_400_000;
