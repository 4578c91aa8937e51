import { sql } from "kysely";
import type { Microseconds } from "../../../events/time.ts";
import { lastingPhases } from "../../board/session-tables.ts";
import { type Open, question, type Tables } from "../../question.ts";
import type { ReadModel } from "../../read-model.ts";
import {
  byGroup,
  FIRST,
  type Group,
  isIn,
  microsecondsOf,
  perScope,
  type Scope,
  type ScopeValues,
} from "./scope.ts";
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
  const rows = readModel.all(timesByGroup(scope), scope.given);
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

/**
 * Every session that has ended or runs: where and when it began, and its times as `session_times` has them. A state that
 * lasts still has lasted until now; a clock that was set back is behind the log, whose times only grow.
 */
function allSessions(tables: Tables, given: Open<ScopeValues>) {
  return tables
    .selectFrom("session_times")
    .select((eb) => [
      "task_id",
      "started_at",
      sql<0 | 1>`0`.as("open"),
      eb.ref("outcome").$castTo<(typeof OUTCOMES)[number] | null>().as("outcome"),
      "length_us",
      "returns",
      ...lastingPhases.map((phase) => `${phase}_us` as const),
    ])
    .unionAll(
      tables
        .selectFrom("sessions")
        .where("completed_at", "is", null)
        .select(({ ref }) => [
          "task_id",
          "started_at",
          sql<0 | 1>`1`.as("open"),
          sql<(typeof OUTCOMES)[number] | null>`NULL`.as("outcome"),
          sql<number>`max(0, ${given("now")} - ${microsecondsOf(ref("started_at"))})`.as("length_us"),
          "returns",
          ...lastingPhases.map((phase) => {
            const before = ref(`${phase}_us` as const);
            const since = sql`max(0, ${given("now")} - ${ref("state_since_us")})`;
            const isIt = sql`${ref("current_state")} = ${phase}`;
            return sql<number | null>`iif(${isIt}, coalesce(${before}, 0) + ${since}, ${before})`.as(
              `${phase}_us` as const,
            );
          }),
        ]),
    );
}

const timesByGroup = perScope(({ groupOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom(allSessions(tables, given).as("s"))
      .where(({ ref }) => isIn(given, ref("s.started_at")))
      .select(({ fn, ref }) => [
        groupOf(tables, ref("s.started_at"), ref("s.task_id")).as("group"),
        fn.countAll<number>().as("sessions"),
        fn.sum<number>("s.open").as("open"),
        ...OUTCOMES.map((outcome) =>
          fn.countAll<number>().filterWhere("s.outcome", "=", outcome).as(outcome),
        ),
        fn.agg<string>("json_group_array", ["s.length_us"]).as("lengths"),
        ...lastingPhases.map((phase) =>
          fn
            .agg<string>("json_group_array", [`s.${phase}_us` as const])
            .filterWhere(`s.${phase}_us` as const, "is not", null)
            .as(phase),
        ),
        fn
          .agg<string>("json_group_array", ["s.returns"])
          .filterWhere("s.testing_us", "is not", null)
          .as("returns"),
      ])
      .groupBy(FIRST),
  ),
);
