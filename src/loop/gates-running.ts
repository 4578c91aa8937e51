import {
  catchError,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  interval,
  map,
  merge,
  type Observable,
  of,
  scan,
  shareReplay,
  startWith,
  switchMap,
} from "rxjs";
import type { Project } from "../api/project.ts";
import type { Event } from "../events/types/index.ts";
import { livingRuns, recordInterrupted } from "../gates/interrupted.ts";

/**
 * Emits whether a gate is running that a session may wait for, now and at each change: one of its own, or
 * in a shared folder any gate, since a folder runs one gate at a time. If a runner dies, its run is
 * recorded as interrupted, so that no one waits for it.
 *
 * @param events the events after the session's start, of all sessions
 */
export function gatesRunning(
  { store }: Project,
  events: Observable<Event>,
  { session, position, ownFolder }: SessionInFolder,
): Observable<boolean> {
  const before = ownFolder ? [] : livingRuns(store.readModel).filter((started) => started < position);
  const open: ReadonlySet<number> = new Set(before);
  const buryDead = interval(LOOK_MS).pipe(
    exhaustMap(() => from(recordInterrupted(store)).pipe(catchError(() => EMPTY))),
    ignoreElements(),
  );
  return events.pipe(
    filter(({ correlation }) => !ownFolder || correlation === session),
    scan(after, open),
    startWith(open),
    map(({ size }) => size > 0),
    distinctUntilChanged(),
    switchMap((running) => (running ? merge(of(true), buryDead) : of(false))),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

interface SessionInFolder {
  readonly session: string;
  /** The session's start. */
  readonly position: number;
  /** True: no other session works in its folder. */
  readonly ownFolder: boolean;
}

/** How often to check that the runners are alive. */
const LOOK_MS = 5_000;

/** The start positions of the runs that are open after an event. */
function after(open: ReadonlySet<number>, event: Event): ReadonlySet<number> {
  if (event.type === "gate.started") return new Set([...open, event.position]);
  if (event.type !== "gate.attempted" && event.type !== "gate.baselined") return open;
  const ended = event.payload.started;
  return new Set([...open].filter((started) => started !== ended));
}
