import { createKeptStore } from "../store.ts";

/** In which zone the whole page shows times: one choice, axes included. */
export const zone = createKeptStore("signalbox-zone", ["local", "utc"], "local");

/** A time of the log (ISO 8601 in UTC) or of the read model's tables, in milliseconds since 1970. */
export function millisecondsOf(time: string): number {
  return Date.parse(time.endsWith("Z") ? time : `${time.replace(" ", "T")}Z`);
}

/** A whole moment with its zone, to the second. */
export function momentIn(chosen: "local" | "utc", milliseconds: number): string {
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "long",
    ...(chosen === "utc" && { timeZone: "UTC" }),
  }).format(milliseconds);
}
