import type { EventLog } from "./log.ts";
import type { Event } from "./types/index.ts";

/** All events of a stream in log order, read page by page as they are asked for. */
export function eventsOfStream(log: Pick<EventLog, "readStream">, stream: string): AsyncGenerator<Event> {
  return byPage((after) => log.readStream(stream, after, PAGE));
}

/** All events behind a position, in the same way. */
export function eventsAfter(log: Pick<EventLog, "read">, position: number): AsyncGenerator<Event> {
  return byPage((after) => log.read(after, PAGE), position);
}

/** @param read a page behind a position or version: neither has gaps */
async function* byPage(read: (after: number) => Promise<readonly Event[]>, first = 0): AsyncGenerator<Event> {
  for (let after = first; ; ) {
    const events = await read(after);
    yield* events;
    if (events.length < PAGE) return;
    after += events.length;
  }
}

const PAGE = 1_000;
