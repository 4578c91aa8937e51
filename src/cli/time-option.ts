import { InvalidArgumentError } from "commander";
import type { Microseconds } from "../events/time.ts";

/** A moment that an option names; `7d` is seven days before now. */
export type Moment = (now: Microseconds) => Microseconds;

/** Reads `2026-02-11`, `2026-02-11T10:23`, `2026-02-11 10:23:15Z` (UTC where no zone is named), `12h`, `7d`, `2w` (so long ago). */
export function parseMoment(text: string): Moment {
  const ago = /^(\d{1,5})([hdw])$/.exec(text);
  if (ago) {
    const [, count = "", unit = ""] = ago;
    return (now) => now - Number(count) * (HOURS[unit] ?? 0) * 3_600 * 1_000_000;
  }
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?)?$/i.exec(
    text,
  );
  const [, date = "", time = "00:00", fraction = "", zone = "Z"] = iso ?? [];
  const milliseconds = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  if (!iso || Number.isNaN(milliseconds) || !isDay(date)) {
    throw new InvalidArgumentError(
      "It must be a time in UTC such as 2026-02-11 or 2026-02-11T10:23, or how long ago: 12h, 7d, 2w.",
    );
  }
  const microseconds = milliseconds * 1_000 + Number(fraction.padEnd(6, "0"));
  return () => microseconds;
}

/** A day that no month has would be read as one of the next month. */
function isDay(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };
