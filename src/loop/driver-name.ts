import { Refusal } from "../decisions/refusal.ts";
import type { EventLog } from "../events/log.ts";
import { loopStream } from "../events/types/loops.ts";
import { idFromKey } from "../lib/ids.ts";

/** The name of the run of a driver that a caller started under a key: the same key names the same run. */
export function driverUnder(key: string): string {
  return `d-${idFromKey(key, "driver")}`;
}

/** The position of a driver's start; undefined if it never started. From the log itself: tables may lag behind it. */
export async function startOfLoop(
  log: Pick<EventLog, "readStream">,
  driver: string,
): Promise<number | undefined> {
  const [start] = await log.readStream(loopStream({ driver }), 0, 1);
  return start?.position;
}

/** The refusal for a second run of one driver. */
export function startedAlready(driver: string): Refusal {
  return new Refusal("nothing_to_do", `The loop ${driver} was started under this key already.`);
}
