import type { EventLog } from "./log.ts";
import type { Event } from "./types/index.ts";

/** All events of a stream in log order, read page by page on demand. */
export function eventsOfStream(log: Pick<EventLog, "readStream">, stream: string): AsyncGenerator<Event> {
  return byPage((after) => log.readStream(stream, after, PAGE));
}

/** All events after a position, read the same way. */
export function eventsAfter(log: Pick<EventLog, "read">, position: number): AsyncGenerator<Event> {
  return byPage((after) => log.read(after, PAGE), position);
}

/** @param read returns the page after a position or stream version; neither has gaps */
async function* byPage(read: (after: number) => Promise<readonly Event[]>, first = 0): AsyncGenerator<Event> {
  for (let after = first; ; ) {
    const events = await read(after);
    yield* events;
    if (events.length < PAGE) return;
    after += events.length;
  }
}

const PAGE = 1_000;
