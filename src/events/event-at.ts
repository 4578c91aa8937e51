import { fromIsoTime, type Microseconds } from "../lib/time.ts";
import type { EventLog } from "./log.ts";
import type { Event } from "./types/index.ts";

/** The event at a position; undefined for 0 and for positions past the head. */
export async function eventAt(log: Pick<EventLog, "read">, position: number): Promise<Event | undefined> {
  const [event] = position < 1 ? [] : await log.read(position - 1, 1);
  return event;
}

/** The last position recorded at or before a time; 0 if there is none. Times in a log only grow. */
export async function lastUpTo(log: EventLog, moment: Microseconds): Promise<number> {
  let [low, high] = [0, await log.head()];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const event = await eventAt(log, middle);
    if (event && fromIsoTime(event.recordedAt) <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}
