import { setImmediate as nextTurn } from "node:timers/promises";
import { Observable } from "rxjs";
import type { Event } from "./types/index.ts";

interface Followed {
  /** The position after which events are given. */
  readonly after: number;
  /** Emits when there may be new events; completes when the log is closed. */
  readonly wakes: Observable<unknown>;
  /** Events after a position, at most so many. */
  readonly read: (after: number, limit: number) => Promise<readonly Event[]>;
  /** From then on a failure to read is no news to followers. */
  readonly isClosing: () => boolean;
}

/** Every event after a position, read by pages: at once, and again at each wake. */
export function followByPages({ after, wakes, read, isClosing }: Followed): Observable<readonly Event[]> {
  return new Observable((subscriber) => {
    let seen = after;
    let pumping = false;
    let again = false;
    const pump = async () => {
      again = true;
      if (pumping) return;
      pumping = true;
      try {
        while (again && !subscriber.closed) {
          again = false;
          const events = await read(seen, PAGE);
          if (events.length === 0) continue;
          seen += events.length;
          again = true;
          subscriber.next(events);
          if (events.length === PAGE) await nextTurn();
        }
      } catch (error) {
        if (!isClosing()) subscriber.error(error);
      } finally {
        pumping = false;
      }
    };
    const subscription = wakes.subscribe({ next: pump, complete: () => subscriber.complete() });
    if (isClosing()) subscriber.complete();
    else void pump();
    return subscription;
  });
}

const PAGE = 1_000;
