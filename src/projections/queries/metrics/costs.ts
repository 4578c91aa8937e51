import type { ReadModel } from "../../read-model.ts";
import { byGroup, type Group, type Scope } from "./scope.ts";

/**
 * What sessions have cost, and how many of them a verified task took. All sessions of a group count, those too that came to
 * nothing. What an agent did not tell is unknown, which is not 0: such sessions are counted beside the sums.
 */
export function costFigures(readModel: ReadModel, scope: Scope) {
  const spent = readModel.prepared<object, Spent>(spentByGroup(scope)).all(scope.given);
  const finished = readModel.prepared<object, Finished>(finishedByGroup(scope)).all(scope.given);
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

interface Spent {
  readonly group: Group;
  readonly sessions: number;
  /** Null where no session told it. */
  readonly cost_micro_usd: number | null;
  readonly cost_unknown: number;
  readonly tokens: number | null;
  readonly tokens_unknown: number;
}

interface Finished extends Readonly<Record<"done" | "without_gates" | "verified", number>> {
  readonly group: Group;
}

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
const SESSIONS = `SELECT session_id, task_id, started_at FROM session_times
  UNION ALL
  SELECT id, task_id, started_at FROM sessions WHERE completed_at IS NULL`;

function spentByGroup({ groupOf, includes }: Scope): string {
  return `SELECT ${groupOf("s.started_at", "s.task_id")} AS "group", count(*) AS sessions,
    sum(a.cost_micro_usd) AS cost_micro_usd, count(*) - count(a.cost_micro_usd) AS cost_unknown,
    sum(coalesce(a.input_tokens + a.output_tokens, a.input_tokens, a.output_tokens)) AS tokens,
    count(*) - count(coalesce(a.input_tokens, a.output_tokens)) AS tokens_unknown
  FROM (${SESSIONS}) s LEFT JOIN agents a ON a.session_id = s.session_id
  WHERE ${includes("s.started_at")} GROUP BY 1`;
}

/** Tasks that are done by the done of their last session: one that was set done by hand is no agent's work. */
function finishedByGroup({ groupOf, includes }: Scope): string {
  return `WITH proofs AS MATERIALIZED (
    SELECT task_id, count(*) FILTER (WHERE state NOT IN ('passed', 'skipped')) AS unproven FROM gates GROUP BY task_id)
  SELECT ${groupOf("t.completed_at", "t.id")} AS "group", count(*) AS done,
    count(*) - count(p.task_id) AS without_gates, count(*) FILTER (WHERE p.unproven = 0) AS verified
  FROM tasks t JOIN session_times s ON s.started_position = t.last_start AND s.task_id = t.id
    LEFT JOIN proofs p ON p.task_id = t.id
  WHERE t.status = 'done' AND t.completed_at IS NOT NULL AND s.closing = 'done' AND s.unverified = 0
    AND ${includes("t.completed_at")} GROUP BY 1`;
}
