import { map, merge, NEVER, type Observable, startWith, switchMap, take, timer } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Stop } from "./agent/verdict.ts";

/** What is seen of an agent while it works. */
export interface Signs {
  /** Whatever shows that it is at work: its output, its reports. */
  readonly activity: Observable<unknown>;
  /** Gives something whenever it calls a closing verb. */
  readonly closed: Observable<unknown>;
  /** Whether a gate is being run that it may wait for: at once, and at each change. */
  readonly gates: Observable<boolean>;
}

/**
 * When an agent is to be ended by its driver: at the session's limit, after a silence, or where it has called a closing verb
 * and then neither ends nor says anything. While a gate is run, it waits and cannot say anything: silence counts from the
 * gate's end. Gives the reason once, if ever.
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
        reason: `its agent had closed, and did not end within ${limits.after_closing_s} s`,
      })),
    ),
  ).pipe(take(1));
}
