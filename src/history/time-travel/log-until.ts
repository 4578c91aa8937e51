import { Observable } from "rxjs";
import { Refusal } from "../../decisions/refusal.ts";
import type { EventLog } from "../../events/log.ts";

/**
 * A read-only view of a log with `position` as its head. `follow` gives the events up to there, and
 * completes. Closing the view leaves the underlying log open.
 *
 * @param position at most the head of the log
 */
export function logUntil(log: EventLog, position: number): EventLog {
  return {
    async append() {
      throw pastIsPast(position);
    },
    async restore() {
      throw pastIsPast(position);
    },
    read: (after, limit) => log.read(after, Math.min(limit, position - Math.max(after, 0))),
    async readStream(stream, afterVersion, limit) {
      const events = await log.readStream(stream, afterVersion, limit);
      return events.filter((event) => event.position <= position);
    },
    positionsIn: (streams, from, to) => log.positionsIn(streams, from, Math.min(to, position)),
    recordedBy: (positions) => log.recordedBy(positions.filter((one) => one <= position)),
    async find(id) {
      const event = await log.find(id);
      return event && event.position <= position ? event : undefined;
    },
    payloadHash: async (at) => (at <= position ? log.payloadHash(at) : undefined),
    records: (after, limit) => log.records(after, Math.min(limit, position - Math.max(after, 0))),
    identity: () => log.identity(),
    // What is stored is the whole log.
    audit: async () => {
      throw pastIsPast(position);
    },
    head: async () => position,
    streamVersion: (stream) => versionUntil(log, stream, position),
    follow: (after) =>
      new Observable((subscriber) => {
        void giveAll(log, after, position, (events) => {
          if (!subscriber.closed) subscriber.next(events);
          return !subscriber.closed;
        }).then(
          () => subscriber.complete(),
          (error) => subscriber.error(error),
        );
      }),
    close: async () => {},
  };
}

/** The refusal of a change to a past state. */
export function pastIsPast(position: number): Refusal {
  return new Refusal(
    "not_possible",
    `This is the project as it was at position ${position}. The past cannot be changed; act on the project as it is now.`,
  );
}

/** Stream versions increase with positions. */
async function versionUntil(log: EventLog, stream: string, position: number): Promise<number> {
  let [low, high] = [0, await log.streamVersion(stream)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = await log.readStream(stream, middle - 1, 1);
    if (event && event.position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

const PAGE = 1_000;

async function giveAll(
  log: EventLog,
  after: number,
  position: number,
  give: (events: Awaited<ReturnType<EventLog["read"]>>) => boolean,
): Promise<void> {
  for (let seen = Math.max(after, 0); seen < position; ) {
    const events = await log.read(seen, Math.min(PAGE, position - seen));
    if (events.length === 0 || !give(events)) return;
    seen += events.length;
  }
}
