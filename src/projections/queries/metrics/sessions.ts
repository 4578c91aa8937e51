import { fromIsoTime, type Microseconds, toSqlTime } from "../../../events/time.ts";
import { type SessionState, sessionStates } from "../../../events/types/sessions.ts";
import type { Session } from "../../board/tables.ts";
import type { ReadModel } from "../../read-model.ts";
import { inGroups, lasted, type Scope } from "./scope.ts";
import { median, most, seconds, spreadInSeconds, sum } from "./spread.ts";

/** A session and how long it was in each phase, in microseconds; the phases add up to `length`. */
export interface TimedSession extends Pick<Session, "id" | "task_id" | "outcome"> {
  readonly time: string;
  readonly open: boolean;
  readonly length: Microseconds;
  readonly phases: ReadonlyMap<SessionState, Microseconds>;
  /** How often it went from testing back to implementing. */
  readonly returns: number;
}

/** The sessions that count, in the order of their starts. */
export function timedSessions(readModel: ReadModel, scope: Scope): TimedSession[] {
  const states = readModel.prepared<[string], { state: SessionState; entered_at: string }>(STATES);
  return readModel
    .prepared<[], SessionRow>(SESSIONS)
    .all()
    .filter(({ time }) => scope.includes(time))
    .map(({ completed_at, ...session }) => {
      const steps = states.all(session.id);
      return {
        ...session,
        open: completed_at === null,
        length: lasted(scope, session.time, completed_at),
        phases: timeInPhases(steps, completed_at, scope),
        returns: steps.filter(({ state }, index) => isReturn(steps[index - 1]?.state, state)).length,
      };
    });
}

/** How many sessions there were, what they came to, how long they lasted. */
export function sessionFigures(sessions: readonly TimedSession[], scope: Scope) {
  return inGroups(sessions, scope.groupOf).map(([group, all]) => {
    const count = (outcome: Session["outcome"]) => all.filter((one) => one.outcome === outcome).length;
    return {
      group,
      sessions: all.length,
      open: all.filter(({ open }) => open).length,
      success: count("success"),
      partial: count("partial"),
      failure: count("failure"),
      timeout: count("timeout"),
      cancelled: count("cancelled"),
      ...spreadInSeconds(all.map(({ length }) => length)),
    };
  });
}

/** The time in each phase, over the sessions that were in it. */
export function phaseFigures(sessions: readonly TimedSession[], scope: Scope) {
  return inGroups(sessions, scope.groupOf).flatMap(([group, all]) => {
    const whole = sum(all.map(({ length }) => length));
    return sessionStates.flatMap((phase) => {
      const times = all.flatMap(({ phases }) => phases.get(phase) ?? []);
      // The last state of a session begins with its end, and lasts no time.
      if (times.length === 0 || phase === "done" || phase === "failed") return [];
      const share = whole === 0 ? null : Math.round((sum(times) / whole) * 1_000) / 1_000;
      return [{ group, phase, sessions: times.length, ...spreadInSeconds(times), share }];
    });
  });
}

/** How often sessions that tested went back to implementing. */
export function reworkFigures(sessions: readonly TimedSession[], scope: Scope) {
  const tested = sessions.filter(({ phases }) => phases.has("testing"));
  return inGroups(tested, scope.groupOf).map(([group, all]) => {
    const returns = all.map((session) => session.returns);
    return {
      group,
      sessions_that_tested: all.length,
      went_back: returns.filter((times) => times > 0).length,
      returns: sum(returns),
      median: median(returns),
      most: most(returns),
      testing_s: seconds(sum(all.map(({ phases }) => phases.get("testing") ?? 0))),
    };
  });
}

interface SessionRow extends Pick<Session, "id" | "task_id" | "outcome" | "completed_at"> {
  readonly time: string;
}

/** A state lasts until the next one; the last one until the session's end, or until now. */
function timeInPhases(
  steps: readonly { state: SessionState; entered_at: string }[],
  completed_at: string | null,
  scope: Scope,
): Map<SessionState, Microseconds> {
  const phases = new Map<SessionState, Microseconds>();
  for (const [index, { state, entered_at }] of steps.entries()) {
    const next = steps[index + 1];
    const time = next
      ? fromIsoTime(next.entered_at) - fromIsoTime(entered_at)
      : lasted(scope, toSqlTime(entered_at), completed_at);
    phases.set(state, (phases.get(state) ?? 0) + time);
  }
  return phases;
}

function isReturn(from: SessionState | undefined, to: SessionState): boolean {
  return from === "testing" && to === "implementing";
}

const SESSIONS = `SELECT id, task_id, outcome, completed_at, started_at AS time
  FROM sessions ORDER BY started_position`;
const STATES = "SELECT state, entered_at FROM session_states WHERE session_id = ? ORDER BY ordinal";
