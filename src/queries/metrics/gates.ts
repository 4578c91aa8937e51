import { question, type RowOf } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { inGroups, isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";
import { median, most, sum } from "./spread.ts";

/** How gates went: attempts until one passed, failures, the time that their commands took. */
export function gateFigures(readModel: ReadView, scope: Scope) {
  const runs = readModel.all(runsOf(scope), scope.given);
  return inGroups(runs, ({ key }) => scope.groupOf(key)).map(([group, all]) => {
    const attempts = all.filter(({ kind }) => kind === "attempt");
    const baselines = all.filter(({ kind }) => kind === "baseline");
    const gates = inGroups(attempts, ({ task_id, gate }) => `${task_id}/${gate}`).map(([, of]) => of);
    const untilPassed = gates.flatMap(attemptsUntilPassed);
    const count = (state: Run["state"]) => attempts.filter((run) => run.state === state).length;
    return {
      group,
      gates: gates.length,
      attempts: attempts.length,
      passed: count("passed"),
      failed: count("failed"),
      interrupted: count("interrupted"),
      attempts_until_passed: median(untilPassed),
      attempts_at_most: most(untilPassed),
      never_passed: gates.filter((of) => of.every(({ state }) => state !== "passed")).length,
      time_s: timeOf(attempts),
      baselines: baselines.length,
      baseline_s: timeOf(baselines),
    };
  });
}

/**
 * For each pass of a gate how many attempts it took since the one before, itself included. What was interrupted says
 * nothing about the work and is no attempt here.
 */
function attemptsUntilPassed(attempts: readonly Run[]): number[] {
  const counts: number[] = [];
  let since = 0;
  for (const { state } of attempts) {
    if (state === "passed" || state === "failed") since += 1;
    if (state !== "passed") continue;
    counts.push(since);
    since = 0;
  }
  return counts;
}

function timeOf(runs: readonly Run[]): number {
  return sum(runs.map(({ duration_ms }) => duration_ms ?? 0)) / 1_000;
}

type Run = RowOf<ReturnType<typeof runsOf>>;

const runsOf = perScope(({ keyOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("gate_runs")
      .where(({ fn }) => isIn(given, fn.coalesce("started_at", "completed_at")))
      .select(({ fn, ref }) => keyOf(fn.coalesce("started_at", "completed_at"), ref("task_id")).as("key"))
      .select(["task_id", "gate", "kind", "state", "duration_ms"])
      .orderBy("id"),
  ),
);
