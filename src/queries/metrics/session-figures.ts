import { type InferResult, type SelectQueryBuilder, sql } from "kysely";
import { lastingPhases } from "../../projections/board/session-tables.ts";
import { type Open, question, type RowOf, type Schema, type Tables } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { type Columns, columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { isIn, microsecondsOf, perScope, type Scope, type ScopeValues } from "./scope.ts";
import { countEach, median, most, present, seconds, spreadInSeconds, sum } from "./spread.ts";

const OUTCOMES = ["success", "partial", "failure", "timeout", "cancelled"] as const;

/**
 * The sessions of a group that count, a value for each in each column: lengths and times in phases in microseconds, `null` for a phase
 * that it was never in, and for `returns` if it never tested.
 */
export type TimedSessions = Columns<RowOf<ReturnType<typeof timesOf>>>;

/** The sessions that count, by groups. */
export function timedSessions(readModel: ReadView, scope: Scope): TimedSessions[] {
  return columnsByGroup(readModel, scope, timesOf(scope));
}

/** How many sessions there were, what they came to, how long they lasted. */
export function sessionFigures(groups: readonly TimedSessions[]) {
  return groups.map(({ group, outcomes, lengths }) => {
    const counts = countEach(outcomes);
    const count = (outcome: (typeof outcomes)[number]) => counts.get(outcome) ?? 0;
    return {
      group,
      sessions: outcomes.length,
      open: count(null),
      success: count("success"),
      partial: count("partial"),
      failure: count("failure"),
      timeout: count("timeout"),
      cancelled: count("cancelled"),
      ...spreadInSeconds(lengths),
    };
  });
}

/** The time in each phase, over the sessions that were in it. */
export function phaseFigures(groups: readonly TimedSessions[]) {
  return groups.flatMap(({ group, lengths, ...times }) => {
    const whole = sum(lengths);
    return lastingPhases.flatMap((phase) => {
      const known = present(times[phase]);
      if (known.length === 0) return [];
      const share = whole === 0 ? null : Math.round((sum(known) / whole) * 1_000) / 1_000;
      return [{ group, phase, sessions: known.length, ...spreadInSeconds(known), share }];
    });
  });
}

/** How often sessions that tested went back to implementing. */
export function reworkFigures(groups: readonly TimedSessions[]) {
  return groups
    .map(({ group, returns, testing }) => ({ group, returns: present(returns), testing: present(testing) }))
    .filter(({ returns }) => returns.length > 0)
    .map(({ group, returns, testing }) => ({
      group,
      sessions_that_tested: returns.length,
      went_back: returns.filter((times) => times > 0).length,
      returns: sum(returns),
      median: median(returns),
      most: most(returns),
      testing_s: seconds(sum(testing)),
    }));
}

/** A row of those that have ended and a row of those that run: SQLite copies what it unites, so it is to unite little. */
const timesOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) => {
    const packedOf = (some: SelectQueryBuilder<Schema, keyof Schema, SessionTimes>) =>
      tables
        .selectFrom(some.as("s"))
        .where(({ ref }) => isIn(given, ref("s.started_at")))
        .select(({ ref }) => [
          keysOf(ref("s.started_at"), ref("s.task_id")).as("keys"),
          packed(ref("s.outcome")).as("outcomes"),
          packed(ref("s.length_us")).as("lengths"),
          packed(sql<number | null>`iif(${ref("s.testing_us")} IS NULL, NULL, ${ref("s.returns")})`).as(
            "returns",
          ),
          ...lastingPhases.map((phase) => packed(ref(`s.${phase}_us`)).as(phase)),
        ]);
    return packedOf(ended(tables)).unionAll(packedOf(running(tables, given)));
  }),
);

/** The times of sessions as a question gives them. */
type SessionTimes = InferResult<ReturnType<typeof ended>>[number];

function ended(tables: Tables) {
  return tables
    .selectFrom("session_times")
    .select((eb) => [
      "task_id",
      "started_at",
      eb.ref("outcome").$castTo<(typeof OUTCOMES)[number] | null>().as("outcome"),
      "length_us",
      "returns",
      ...lastingPhases.map((phase) => `${phase}_us` as const),
    ]);
}

/** A state that lasts still has lasted until now; a clock that was set back is behind the log, whose times only grow. */
function running(tables: Tables, given: Open<ScopeValues>) {
  return tables
    .selectFrom("sessions")
    .where("completed_at", "is", null)
    .select(({ ref }) => [
      "task_id",
      "started_at",
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
    ]);
}
