import type { EventLog } from "./log.ts";
import type { Event } from "./types/index.ts";

/** All events of a stream in log order, read page by page as they are asked for. */
export async function* eventsOfStream(
  log: Pick<EventLog, "readStream">,
  stream: string,
): AsyncGenerator<Event> {
  for (let version = 0; ; ) {
    const events = await log.readStream(stream, version, PAGE);
    yield* events;
    if (events.length < PAGE) return;
    version += events.length;
  }
}

const PAGE = 1_000;
