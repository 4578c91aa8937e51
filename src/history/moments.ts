import { DAY_US, type Microseconds } from "../lib/time.ts";
import { PointError } from "./time-travel/point-error.ts";

/**
 * Parses a time as people write it: ISO 8601, or English such as `2 hours ago` or `yesterday at
 * 14:00`. A text without a time zone is in UTC, like all of our output.
 *
 * @param now the present, from which `ago` counts
 * @param edge the start or end of the day, for a text that names only a day
 * @returns undefined for any other text, and for an ambiguous date such as `11/12/2026`
 */
export async function readMoment(
  text: string,
  now: Microseconds,
  edge: "start" | "end" = "start",
): Promise<Microseconds | undefined> {
  const wish = text.trim();
  // A text that looks like ISO 8601 must be valid: the parser for English would read `2026-13-01`
  // as 13 January.
  if (!/^\d{4}-\d/.test(wish)) return readEnglish(wish, now, edge);
  const moment = readIso(wish);
  return moment !== undefined && wish.length === DATE_LENGTH ? edgeOfDay(moment, edge) : moment;
}

/** As `readMoment`. @throws PointError: the text names no time */
export async function momentNamed(
  text: string,
  now: Microseconds,
  edge: "start" | "end",
): Promise<Microseconds> {
  const moment = await readMoment(text, now, edge);
  if (moment !== undefined) return moment;
  throw new PointError(
    `"${text}" is not a time. It must be a date or a time, such as 2026-11-21, 2026-11-21T14:30:00Z or "2 hours ago".`,
  );
}

/** The first or the last microsecond of a moment's day, in UTC. */
function edgeOfDay(moment: Microseconds, edge: "start" | "end"): Microseconds {
  const start = Math.floor(moment / DAY_US) * DAY_US;
  return edge === "end" ? start + DAY_US - 1 : start;
}

const DATE_LENGTH = "2026-11-21".length;
/** `2026-02-11`, `2026-02-11 10:23`, `2026-02-11T10:23:15.000042Z`, `…+01:00`. */
function readIso(text: string): Microseconds | undefined {
  const match =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,6})\d*)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(
      text,
    );
  if (!match) return undefined;
  const [, date = "", minutes = "00:00", seconds = ":00", fraction = "", zone = "Z"] = match;
  const offset = /^(?:Z|UTC)$/i.test(zone) ? "Z" : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  const whole = Date.parse(`${date}T${minutes}${seconds}${offset}`);
  // A day that the month lacks is parsed as one of the next month.
  const isDay = !Number.isNaN(whole) && new Date(`${date}T00:00Z`).toISOString().startsWith(date);
  return isDay ? whole * 1_000 + Number(fraction.padEnd(6, "0")) : undefined;
}

/**
 * The whole text must be a time: of `task 7 since yesterday` only a part is, and another point may
 * be meant. A duration counts back from now to the microsecond (`2 days ago`); another text that
 * names a day and no hour means the whole day.
 */
async function readEnglish(
  text: string,
  now: Microseconds,
  edge: "start" | "end",
): Promise<Microseconds | undefined> {
  if (DAY_OR_MONTH_FIRST.test(text)) return undefined;
  // Loaded lazily: few calls need it, and loading it would slow every command down.
  const { casual } = await import("chrono-node/en");
  const [found, ...others] = casual.parse(text, { instant: new Date(now / 1_000), timezone: 0 });
  if (!found || others.length > 0 || found.text.length !== text.length || found.end) return undefined;
  const { start } = found;
  const moment = start.date().getTime() * 1_000;
  if (start.isCertain("hour") || PART_OF_DAY.test(text)) return moment;
  if (start.tags().has("result/relativeDate") && !NAMED_DAY.test(text)) return moment;
  return start.isCertain("day") || start.isCertain("weekday") ? edgeOfDay(moment, edge) : undefined;
}

/** `11/12/2026`, `12.11.2026`, `11/12`: ambiguous between month first and day first. */
const DAY_OR_MONTH_FIRST = /(?<![\d./-])\d{1,2}(?:[./-]\d{1,2}[./-]\d{2,4}|[/-]\d{1,2})(?!\d)/;
const PART_OF_DAY = /\b(?:morning|noon|afternoon|evening|tonight|night|midnight)\b/i;
const NAMED_DAY = /\b(?:yesterday|today|tomorrow)\b/i;
