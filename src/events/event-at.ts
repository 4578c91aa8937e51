import type { EventLog } from "./log.ts";
import type { Event } from "./types/index.ts";

/** The event at a position; undefined for 0 and where the log does not reach that far. */
export async function eventAt(log: Pick<EventLog, "read">, position: number): Promise<Event | undefined> {
  const [event] = position < 1 ? [] : await log.read(position - 1, 1);
  return event;
}
