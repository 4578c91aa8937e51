import { concatMap, EMPTY, filter, from, map, type Observable, startWith, tap, throttleTime } from "rxjs";
import type { Project } from "../../api/project.ts";
import { type Microseconds, toIsoTime, toSqlTime } from "../../lib/time.ts";
import { seenLoops } from "../../loop/drivers/loop-signs.ts";
import type { FleetWatch } from "../../outside/fleet/view.ts";
import type { SeenLoop } from "../../queries/labels/loop-words.ts";
import type { Overview } from "../../queries/overview.ts";

/** What a live view shows, and whether its loops live. */
export type SeenOverview = Omit<Overview, "loops"> & { readonly loops: readonly SeenLoop[] };

/** Frames and looks at the project are so far apart at least. */
export const FRAME_MS = 100;

/**
 * What the project is like, now and after each change, from any process; at most ten times a second. The last change is
 * always shown.
 */
export function liveOverviews(
  project: Project,
  after: number,
  fleet?: FleetWatch | undefined,
): Observable<SeenOverview> {
  let shown = -1;
  return project.log.follow(after).pipe(
    map((events) => events.at(-1)?.position ?? 0),
    throttleTime(FRAME_MS, undefined, { leading: true, trailing: true }),
    startWith(after),
    // A look shows everything up to the head, so that notices of what it has shown need no other one.
    concatMap((position) => (position <= shown ? EMPTY : from(lookAt(project, fleet)))),
    filter((view) => view.position > shown),
    tap((view) => {
      shown = view.position;
    }),
  );
}

/**
 * The project as it is now, with the costs of this day.
 *
 * @param fleet looks at the hosts of a shared log; absent for a log that is a file
 */
export async function lookAt(
  { queries, store }: Project,
  fleet?: FleetWatch | undefined,
): Promise<SeenOverview> {
  const view = await queries.overview(toSqlTime(toIsoTime(midnightBefore(store.environment.now()))));
  // Without loops nothing waits for a server.
  const hosts = view.loops.length === 0 ? undefined : (await fleet?.look(store))?.hosts;
  return { ...view, loops: seenLoops(store, view.loops, hosts) };
}

/** The beginning of the day in the reader's time zone. */
function midnightBefore(now: Microseconds): Microseconds {
  return new Date(now / 1_000).setHours(0, 0, 0, 0) * 1_000;
}
