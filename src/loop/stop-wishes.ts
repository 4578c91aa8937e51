import { concatMap, defer, filter, map, type Observable, retry, tap } from "rxjs";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";

/**
 * By whom and why a loop is asked to stop, by an event in its log, from whatever host.
 *
 * @param start the position of its start
 */
export function stopWishes(log: EventLog, driver: string, start: number): Observable<string> {
  let seen = start;
  return defer(() => log.follow(seen)).pipe(
    concatMap((events) => events),
    tap(({ position }) => {
      seen = position;
    }),
    // A shared log may be out of reach for a while, which the loop itself tells.
    retry({ delay: AGAIN_MS }),
    filter((event): event is Event<"loop.stop_asked"> => event.type === "loop.stop_asked"),
    filter(({ payload }) => payload.driver === driver),
    map(
      ({ actor, payload: { reason } }) =>
        `${actor} asked it to stop${reason === undefined ? "" : `: ${reason}`}`,
    ),
  );
}

const AGAIN_MS = 5_000;
