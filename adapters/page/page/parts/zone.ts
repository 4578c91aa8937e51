import { createKeptStore } from "../store.ts";

/** The time zone of the whole page, axes included. */
export const zone = createKeptStore("signalbox-zone", ["local", "utc"], "local");

/** Converts a time of the log or of the read model to milliseconds since 1970. */
export function millisecondsOf(time: string): number {
  return Date.parse(time.endsWith("Z") ? time : `${time.replace(" ", "T")}Z`);
}

/** Date and time to the second, with the zone. */
export function momentIn(chosen: "local" | "utc", milliseconds: number): string {
  formats[chosen] ??= new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "long",
    ...(chosen === "utc" && { timeZone: "UTC" }),
  });
  return formats[chosen].format(milliseconds);
}

/** Each row of a list shows a moment, and a format takes longer to make than a row to draw. */
const formats: { local?: Intl.DateTimeFormat; utc?: Intl.DateTimeFormat } = {};
