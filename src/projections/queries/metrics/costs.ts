import type { ReadModel } from "../../read-model.ts";
import { inGroups, type Scope } from "./scope.ts";
import { sum } from "./spread.ts";

/**
 * What sessions have cost, and how many of them a verified task took. All sessions of a group count, those too that came to
 * nothing. What an agent did not tell is unknown, which is not 0: such sessions are counted beside the sums.
 */
export function costFigures(readModel: ReadModel, scope: Scope) {
  const things = [
    ...readModel.prepared<[], Spent>(SPENT).all(),
    ...readModel.prepared<[], Finished>(FINISHED).all(),
  ].filter(({ time }) => scope.includes(time));
  return inGroups(things, scope.groupOf).map(([group, all]) => {
    const spent = all.filter((one) => one.kind === "session");
    const finished = all.filter((one) => one.kind === "task");
    const verified = finished.filter(({ gates, unproven }) => gates > 0 && unproven === 0).length;
    const costs = known(spent.map(({ cost_micro_usd }) => cost_micro_usd));
    const tokens = known(spent.map(({ tokens: used }) => used));
    return {
      group,
      sessions: spent.length,
      cost_usd: costs.total === null ? null : costs.total / 1_000_000,
      cost_unknown: costs.unknown,
      tokens: tokens.total,
      tokens_unknown: tokens.unknown,
      done_tasks: finished.length,
      done_without_gates: finished.filter(({ gates }) => gates === 0).length,
      verified_tasks: verified,
      sessions_per_verified: perTask(spent.length, verified, 100),
      usd_per_verified: perTask(costs.total === null ? null : costs.total / 1_000_000, verified, 1_000_000),
      tokens_per_verified: perTask(tokens.total, verified, 1),
    };
  });
}

interface Thing {
  readonly task_id: number;
  readonly time: string;
}

interface Spent extends Thing {
  readonly kind: "session";
  readonly cost_micro_usd: number | null;
  readonly tokens: number | null;
}

interface Finished extends Thing {
  readonly kind: "task";
  readonly gates: number;
  /** Gates that are neither passed nor skipped. */
  readonly unproven: number;
}

function known(values: readonly (number | null)[]) {
  const told = values.filter((value) => value !== null);
  return { total: told.length === 0 ? null : sum(told), unknown: values.length - told.length };
}

/** Rounded to `1 / parts`. */
function perTask(total: number | null, tasks: number, parts: number): number | null {
  return total === null || tasks === 0 ? null : Math.round((total / tasks) * parts) / parts;
}

const SPENT = `SELECT 'session' AS kind, s.task_id, s.started_at AS time, a.cost_micro_usd,
    CASE WHEN a.input_tokens IS NULL AND a.output_tokens IS NULL THEN NULL
      ELSE coalesce(a.input_tokens, 0) + coalesce(a.output_tokens, 0) END AS tokens
  FROM sessions s LEFT JOIN agents a ON a.session_id = s.id ORDER BY s.started_position`;
/** Tasks that are done by the done of their last session: one that was set done by hand is no agent's work. */
const FINISHED = `SELECT 'task' AS kind, t.id AS task_id, t.completed_at AS time, count(g.gate) AS gates,
    count(g.gate) FILTER (WHERE g.state NOT IN ('passed', 'skipped')) AS unproven
  FROM tasks t JOIN sessions s ON s.started_position = t.last_start AND s.task_id = t.id
    LEFT JOIN gates g ON g.task_id = t.id
  WHERE t.status = 'done' AND t.completed_at IS NOT NULL AND s.closing = 'done' AND s.unverified = 0
  GROUP BY t.id ORDER BY t.id`;
