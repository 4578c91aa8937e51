import { question, type RowOf, type Tables } from "../../question.ts";
import type { ReadModel } from "../../read-model.ts";
import { byGroup, FIRST, isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";

/**
 * What sessions have cost, and how many of them a verified task took. All sessions of a group count, those too that came to
 * nothing. What an agent did not tell is unknown, which is not 0: such sessions are counted beside the sums.
 */
export function costFigures(readModel: ReadModel, scope: Scope) {
  const spent = readModel.all(spentByGroup(scope), scope.given);
  const finished = readModel.all(finishedByGroup(scope), scope.given);
  const groups = new Set([...spent, ...finished].map(({ group }) => group));
  return byGroup([...groups].map((group) => ({ group }))).map(({ group }) => {
    const of = spent.find((one) => one.group === group) ?? NOTHING_SPENT;
    const tasks = finished.find((one) => one.group === group) ?? NOTHING_FINISHED;
    const cost_usd = of.cost_micro_usd === null ? null : of.cost_micro_usd / 1_000_000;
    return {
      group,
      sessions: of.sessions,
      cost_usd,
      cost_unknown: of.cost_unknown,
      tokens: of.tokens,
      tokens_unknown: of.tokens_unknown,
      done_tasks: tasks.done,
      done_without_gates: tasks.without_gates,
      verified_tasks: tasks.verified,
      sessions_per_verified: perTask(of.sessions, tasks.verified, 100),
      usd_per_verified: perTask(cost_usd, tasks.verified, 1_000_000),
      tokens_per_verified: perTask(of.tokens, tasks.verified, 1),
    };
  });
}

/** Costs and tokens: null where no session told them. */
type Spent = RowOf<ReturnType<typeof spentByGroup>>;
type Finished = RowOf<ReturnType<typeof finishedByGroup>>;

const NOTHING_SPENT: Omit<Spent, "group"> = {
  sessions: 0,
  cost_micro_usd: null,
  cost_unknown: 0,
  tokens: null,
  tokens_unknown: 0,
};
const NOTHING_FINISHED: Omit<Finished, "group"> = { done: 0, without_gates: 0, verified: 0 };

/** Rounded to `1 / parts`. */
function perTask(total: number | null, tasks: number, parts: number): number | null {
  return total === null || tasks === 0 ? null : Math.round((total / tasks) * parts) / parts;
}

/** Every session, from narrow rows where it has ended. */
const allSessions = (tables: Tables) =>
  tables
    .selectFrom("session_times")
    .select(["session_id", "task_id", "started_at"])
    .unionAll(
      tables
        .selectFrom("sessions")
        .select(["id as session_id", "task_id", "started_at"])
        .where("completed_at", "is", null),
    );

const spentByGroup = perScope(({ groupOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom(allSessions(tables).as("s"))
      .leftJoin("agents as a", "a.session_id", "s.session_id")
      .where(({ ref }) => isIn(given, ref("s.started_at")))
      .select((eb) => {
        const { fn, ref } = eb;
        const [input, output] = [ref("a.input_tokens"), ref("a.output_tokens")];
        return [
          groupOf(tables, ref("s.started_at"), ref("s.task_id")).as("group"),
          fn.countAll<number>().as("sessions"),
          fn.sum<number | null>("a.cost_micro_usd").as("cost_micro_usd"),
          eb(fn.countAll<number>(), "-", fn.count<number>("a.cost_micro_usd")).as("cost_unknown"),
          fn.sum<number | null>(fn.coalesce(eb(input, "+", output), input, output)).as("tokens"),
          eb(fn.countAll<number>(), "-", fn.count<number>(fn.coalesce(input, output))).as("tokens_unknown"),
        ];
      })
      .groupBy(FIRST),
  ),
);

/** Tasks that are done by the done of their last session: one that was set done by hand is no agent's work. */
const finishedByGroup = perScope(({ groupOf }) =>
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
      .select((eb) => [
        groupOf(tables, eb.ref("t.completed_at"), eb.ref("t.id")).as("group"),
        eb.fn.countAll<number>().as("done"),
        eb(eb.fn.countAll<number>(), "-", eb.fn.count<number>("p.task_id")).as("without_gates"),
        eb.fn.countAll<number>().filterWhere("p.unproven", "=", 0).as("verified"),
      ])
      .groupBy(FIRST),
  ),
);
