import { question } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { byGroup, type Group, isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";
import type { TimedSessions } from "./session-figures.ts";
import { present, sum } from "./spread.ts";

/**
 * What sessions have cost, and how many of them a verified task took. All sessions of a group count, those too that came to
 * nothing. What an agent did not tell is unknown, which is not 0: such sessions are counted beside the sums.
 */
export function costFigures(readModel: ReadView, scope: Scope, sessions: readonly TimedSessions[]) {
  const counts = new Map(sessions.map(({ group, lengths }) => [group, lengths.length]));
  const spent = new Map(columnsByGroup(readModel, scope, spentOf(scope)).map((of) => [of.group, of]));
  const finished = new Map(columnsByGroup(readModel, scope, finishedOf(scope)).map((of) => [of.group, of]));
  const groups = [...new Set<Group>([...counts.keys(), ...finished.keys()])].map((group) => ({ group }));
  return byGroup(groups).map(({ group }) => {
    const count = counts.get(group) ?? 0;
    const cost = totalOf(spent.get(group)?.costs);
    const cost_usd = cost.total === null ? null : cost.total / 1_000_000;
    const tokens = totalOf(spent.get(group)?.tokens);
    const unproven = finished.get(group)?.unproven ?? [];
    const verified = unproven.filter((gates) => gates === 0).length;
    return {
      group,
      sessions: count,
      cost_usd,
      cost_unknown: count - cost.known,
      tokens: tokens.total,
      tokens_unknown: count - tokens.known,
      done_tasks: unproven.length,
      done_without_gates: unproven.filter((gates) => gates === null).length,
      verified_tasks: verified,
      sessions_per_verified: perTask(count, verified, 100),
      usd_per_verified: perTask(cost_usd, verified, 1_000_000),
      tokens_per_verified: perTask(tokens.total, verified, 1),
    };
  });
}

/** The sum of what is known, null where nothing is, and of how many it is. */
function totalOf(values: readonly (number | null)[] = []) {
  const known = present(values);
  return { total: known.length === 0 ? null : sum(known), known: known.length };
}

/** Rounded to `1 / parts`. */
function perTask(total: number | null, tasks: number, parts: number): number | null {
  return total === null || tasks === 0 ? null : Math.round((total / tasks) * parts) / parts;
}

const spentOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("agents as a")
      .crossJoin("sessions as s")
      .whereRef("s.id", "=", "a.session_id")
      .where(({ ref }) => isIn(given, ref("s.started_at")))
      .select((eb) => {
        const [input, output] = [eb.ref("a.input_tokens"), eb.ref("a.output_tokens")];
        return [
          keysOf(eb.ref("s.started_at"), eb.ref("s.task_id")).as("keys"),
          packed(eb.ref("a.cost_micro_usd")).as("costs"),
          packed(eb.fn.coalesce(eb(input, "+", output), input, output)).as("tokens"),
        ];
      }),
  ),
);

/**
 * Tasks that are done by the done of their last session: one that was set done by hand is no agent's work. `unproven`: how many of its
 * gates are neither passed nor skipped, null where it has none.
 */
const finishedOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .with(
        (name) => name("proofs").materialized(),
        (all) =>
          all
            .selectFrom("gates")
            .select("task_id")
            .select(({ fn }) =>
              fn.countAll<number>().filterWhere("state", "not in", ["passed", "skipped"]).as("unproven"),
            )
            .groupBy("task_id"),
      )
      .selectFrom("tasks as t")
      .innerJoin("session_times as s", (join) =>
        join.onRef("s.started_position", "=", "t.last_start").onRef("s.task_id", "=", "t.id"),
      )
      .leftJoin("proofs as p", "p.task_id", "t.id")
      .where("t.status", "=", "done")
      .where("t.completed_at", "is not", null)
      .where("s.closing", "=", "done")
      .where("s.unverified", "=", 0)
      .where(({ ref }) => isIn(given, ref("t.completed_at")))
      .select(({ ref }) => [
        keysOf(ref("t.completed_at"), ref("t.id")).as("keys"),
        packed(ref("p.unproven")).as("unproven"),
      ]),
  ),
);
