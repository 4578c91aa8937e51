import type { Microseconds } from "../../../events/time.ts";
import { lastingPhases } from "../../board/session-tables.ts";
import type { ReadModel } from "../../read-model.ts";
import { byGroup, type Group, microsecondsOf, type Scope } from "./scope.ts";
import { median, most, seconds, spreadInSeconds, sum } from "./spread.ts";

type Phase = (typeof lastingPhases)[number];

/** The sessions of a group that count, with how long each was in each phase, in microseconds. */
export interface TimedSessions {
  readonly group: Group;
  readonly counts: Readonly<Record<(typeof COUNTS)[number], number>>;
  readonly lengths: readonly Microseconds[];
  /** Of those sessions that were in the phase at all. */
  readonly phases: Readonly<Record<Phase, readonly Microseconds[]>>;
  /** How often each that tested went from testing back to implementing. */
  readonly returns: readonly number[];
}

const OUTCOMES = ["success", "partial", "failure", "timeout", "cancelled"] as const;
const COUNTS = ["sessions", "open", ...OUTCOMES] as const;

/** The sessions that count, by groups. */
export function timedSessions(readModel: ReadModel, scope: Scope): TimedSessions[] {
  const rows = readModel
    .prepared<object, GroupRow>(timesByGroup(scope))
    .all({ ...scope.given, now: scope.now });
  return byGroup(rows).map(({ group, lengths, returns, ...row }) => ({
    group,
    counts: row,
    lengths: JSON.parse(lengths),
    phases: {
      idle: JSON.parse(row.idle),
      analyzing: JSON.parse(row.analyzing),
      implementing: JSON.parse(row.implementing),
      testing: JSON.parse(row.testing),
      committing: JSON.parse(row.committing),
      reviewing: JSON.parse(row.reviewing),
    },
    returns: JSON.parse(returns),
  }));
}

/** How many sessions there were, what they came to, how long they lasted. */
export function sessionFigures(groups: readonly TimedSessions[]) {
  return groups.map(({ group, counts, lengths }) => ({
    group,
    sessions: counts.sessions,
    open: counts.open,
    success: counts.success,
    partial: counts.partial,
    failure: counts.failure,
    timeout: counts.timeout,
    cancelled: counts.cancelled,
    ...spreadInSeconds(lengths),
  }));
}

/** The time in each phase, over the sessions that were in it. */
export function phaseFigures(groups: readonly TimedSessions[]) {
  return groups.flatMap(({ group, lengths, phases }) => {
    const whole = sum(lengths);
    return lastingPhases.flatMap((phase) => {
      const times = phases[phase];
      if (times.length === 0) return [];
      const share = whole === 0 ? null : Math.round((sum(times) / whole) * 1_000) / 1_000;
      return [{ group, phase, sessions: times.length, ...spreadInSeconds(times), share }];
    });
  });
}

/** How often sessions that tested went back to implementing. */
export function reworkFigures(groups: readonly TimedSessions[]) {
  return groups
    .filter(({ returns }) => returns.length > 0)
    .map(({ group, returns, phases }) => ({
      group,
      sessions_that_tested: returns.length,
      went_back: returns.filter((times) => times > 0).length,
      returns: sum(returns),
      median: median(returns),
      most: most(returns),
      testing_s: seconds(sum(phases.testing)),
    }));
}

type GroupRow = Readonly<
  Record<(typeof COUNTS)[number], number> & Record<Phase | "lengths" | "returns", string>
> & { readonly group: Group };

/**
 * Every session that has ended or runs: where and when it began, and its times as `session_times` has them. A state that
 * lasts still has lasted until now; a clock that was set back is behind the log, whose times only grow.
 */
const ALL_SESSIONS = `SELECT task_id, started_at, 0 AS open, outcome, length_us, returns,
    ${lastingPhases.map((phase) => `${phase}_us`).join(", ")}
  FROM session_times
  UNION ALL
  SELECT task_id, started_at, 1, NULL, max(0, :now - ${microsecondsOf("started_at")}), returns,
    ${lastingPhases.map((phase) => `iif(current_state = '${phase}', coalesce(${phase}_us, 0) + max(0, :now - state_since_us), ${phase}_us)`).join(",\n    ")}
  FROM sessions WHERE completed_at IS NULL`;

function timesByGroup({ groupOf, includes }: Scope): string {
  return `SELECT ${groupOf("s.started_at", "s.task_id")} AS "group", count(*) AS sessions, sum(s.open) AS open,
    ${OUTCOMES.map((outcome) => `count(*) FILTER (WHERE s.outcome = '${outcome}') AS ${outcome}`).join(", ")},
    json_group_array(s.length_us) AS lengths,
    ${lastingPhases.map((phase) => `json_group_array(s.${phase}_us) FILTER (WHERE s.${phase}_us IS NOT NULL) AS ${phase}`).join(",\n    ")},
    json_group_array(s.returns) FILTER (WHERE s.testing_us IS NOT NULL) AS returns
  FROM (${ALL_SESSIONS}) s WHERE ${includes("s.started_at")} GROUP BY 1`;
}
