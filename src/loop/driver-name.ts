import { idFromKey } from "../events/ids.ts";

/** The name of the run of a driver that a caller started under a key: the same key names the same run. */
export function driverUnder(key: string): string {
  return `d-${idFromKey(key, "driver")}`;
}
