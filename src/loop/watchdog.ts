import { map, merge, NEVER, type Observable, startWith, switchMap, take, timer } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Stop } from "./agent/verdict.ts";

/** Observations of a working agent. */
export interface Signs {
  /** Any sign of activity: output, reports. */
  readonly activity: Observable<unknown>;
  /** Emits whenever it calls a closing verb. */
  readonly closed: Observable<unknown>;
  /** Whether a gate is running that it may wait for: at once, and at each change. */
  readonly gates: Observable<boolean>;
}

/**
 * When a driver must end an agent: at the session's time limit, after silence, or when it called a
 * closing verb and then neither ends nor prints. While a gate runs, the agent waits silently:
 * silence counts from the gate's end. Emits the reason at most once.
 */
export function watchdog(limits: Config["limits"], { activity, closed, gates }: Signs): Observable<Stop> {
  const silence = (limit_s: number) =>
    activity.pipe(
      startWith(undefined),
      switchMap(() => timer(limit_s * 1_000)),
    );
  const silentFor = (limit_s: number) =>
    gates.pipe(switchMap((running) => (running ? NEVER : silence(limit_s))));
  return merge(
    timer(limits.session_s * 1_000).pipe(
      map(() => ({ why: "session_limit" as const, reason: `it took longer than ${limits.session_s} s` })),
    ),
    silentFor(limits.silence_s).pipe(
      map(() => ({ why: "silence" as const, reason: `its agent was silent for ${limits.silence_s} s` })),
    ),
    closed.pipe(
      take(1),
      switchMap(() => silentFor(limits.after_closing_s)),
      map(() => ({
        why: "closed" as const,
        reason: `its agent had closed the session, but did not exit within ${limits.after_closing_s} s`,
      })),
    ),
  ).pipe(take(1));
}
