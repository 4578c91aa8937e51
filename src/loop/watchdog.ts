import { map, merge, type Observable, startWith, switchMap, take, timer } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Stop } from "./agent/verdict.ts";

/**
 * When an agent is to be ended by its driver: at the session's limit, after a silence, or where it has called a closing verb
 * and then neither ends nor says anything. Gives the reason once, if ever.
 *
 * @param activity whatever shows that the agent is at work: its output, its reports
 * @param closed gives something whenever the agent calls a closing verb
 */
export function watchdog(
  limits: Config["limits"],
  activity: Observable<unknown>,
  closed: Observable<unknown>,
): Observable<Stop> {
  const silentFor = (limit_s: number) =>
    activity.pipe(
      startWith(undefined),
      switchMap(() => timer(limit_s * 1_000)),
    );
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
