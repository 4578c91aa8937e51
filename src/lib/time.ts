/**
 * Times are stored as text, `2026-02-11T10:23:15.000042Z`: UTC with six digits, so that they sort
 * in time order and parse without a calendar, time zone or locale.
 */
export type IsoTime = string;

/** Whole microseconds since 1970-01-01T00:00:00Z, as a clock gives them. */
export type Microseconds = number;

/** Microseconds of a day. */
export const DAY_US = 86_400_000_000;

export function toIsoTime(instant: Microseconds): IsoTime {
  const milliseconds = Math.floor(instant / 1_000);
  return written(milliseconds, instant - milliseconds * 1_000);
}

/**
 * Parses the output of `toIsoTime`; NaN for any other text. From the year 2255 on a number is not
 * exact to the microsecond.
 */
export function fromIsoTime(time: IsoTime): Microseconds {
  const { milliseconds, rest } = partsOf(time);
  return milliseconds * 1_000 + rest;
}

/** The same from an exact number of microseconds, which may be too large for a number. */
export function exactToIsoTime(instant: bigint): IsoTime {
  const rest = ((instant % 1_000n) + 1_000n) % 1_000n;
  return written(Number((instant - rest) / 1_000n), Number(rest));
}

/** The exact inverse of `exactToIsoTime`. */
export function exactFromIsoTime(time: IsoTime): bigint {
  const { milliseconds, rest } = partsOf(time);
  return BigInt(milliseconds) * 1_000n + BigInt(rest);
}

/** Whether a text is a valid time on an existing day. */
export function isIsoTime(text: string): boolean {
  const { milliseconds, rest } = partsOf(text);
  return !Number.isNaN(milliseconds) && written(milliseconds, rest) === text;
}

/**
 * Generates exact times, a microsecond apart: from `now` on, or from just after `last` if that is
 * later.
 *
 * @returns a function that gives the next time; undefined past the year 9999, which the format
 * cannot hold
 */
export function timesFrom(now: Microseconds, last: IsoTime | undefined): () => IsoTime | undefined {
  let milliseconds = Math.floor(now / 1_000);
  let rest = now - milliseconds * 1_000;
  const before = last && partsOf(last);
  if (
    before &&
    (before.milliseconds > milliseconds || (before.milliseconds === milliseconds && before.rest >= rest))
  ) {
    milliseconds = before.milliseconds;
    rest = before.rest + 1;
  }
  return () => {
    if (rest === 1_000) {
      milliseconds++;
      rest = 0;
    }
    return milliseconds < YEAR_10000_MS ? written(milliseconds, rest++) : undefined;
  };
}

/** With a five-digit year, times would not sort in time order. */
const YEAR_10000_MS = Date.UTC(10_000, 0);

/** @param rest the microseconds within the millisecond */
function written(milliseconds: number, rest: number): IsoTime {
  if (milliseconds !== latest.milliseconds) {
    latest = { milliseconds, text: new Date(milliseconds).toISOString().slice(0, -1) };
  }
  return `${latest.text}${String(rest).padStart(3, "0")}Z`;
}

/** The events of a batch are a microsecond apart: usually only the last digits change. */
let latest = { milliseconds: Number.NaN, text: "" };

function partsOf(time: IsoTime): { readonly milliseconds: number; readonly rest: number } {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(time);
  const text = match?.[1];
  const milliseconds =
    text === latest.text ? latest.milliseconds : text === undefined ? Number.NaN : Date.parse(`${text}Z`);
  return { milliseconds, rest: Number(match?.[2]) };
}

/** `2026-02-11 10:23:15.000042`: the form of the read model's `created` columns. */
export function toSqlTime(time: IsoTime): string {
  return time.slice(0, -1).replace("T", " ");
}

/** Parses the output of `toSqlTime`; NaN for any other text. */
export function fromSqlTime(time: string): Microseconds {
  return fromIsoTime(`${time.replace(" ", "T")}Z`);
}

/** Either form, cut to the second, with a blank between date and time: `2026-02-11 10:23:15`. */
export function toSeconds(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}
