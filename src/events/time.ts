/**
 * Instants are kept as text, `2026-02-11T10:23:15.000042Z`: UTC, six digits, so that they sort as they happened
 * and need no calendar, time zone or locale to be read again.
 */
export type IsoTime = string;

/** Whole microseconds since 1970-01-01T00:00:00Z; what a clock gives. */
export type Microseconds = number;

export function toIsoTime(instant: Microseconds): IsoTime {
  const milliseconds = Math.floor(instant / 1_000);
  if (milliseconds !== latest.milliseconds) {
    latest = { milliseconds, text: new Date(milliseconds).toISOString().slice(0, -1) };
  }
  return `${latest.text}${String(instant - milliseconds * 1_000).padStart(3, "0")}Z`;
}

/** The events of a batch are a microsecond apart: their times differ in the last digits only. */
let latest = { milliseconds: Number.NaN, text: "" };

/** Reads what `toIsoTime` wrote; NaN for any other text. */
export function fromIsoTime(time: IsoTime): Microseconds {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(time);
  return match ? Date.parse(`${match[1]}Z`) * 1_000 + Number(match[2]) : Number.NaN;
}

/** `2026-02-11 10:23:15.000042`: the form of the read model's `created` columns (design.md, Projections). */
export function toSqlTime(time: IsoTime): string {
  return time.slice(0, -1).replace("T", " ");
}

/** Reads what `toSqlTime` wrote; NaN for any other text. */
export function fromSqlTime(time: string): Microseconds {
  return fromIsoTime(`${time.replace(" ", "T")}Z`);
}

/** To the second, with a blank between date and time, of either form: `2026-02-11 10:23:15`. */
export function toSeconds(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}
