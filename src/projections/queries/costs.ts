import type { ReadModel } from "../read-model.ts";

/** What sessions have cost, as far as their agents told. */
export interface CostSum {
  /** Millionths of a US dollar; null where no session told its cost. */
  readonly cost_micro_usd: number | null;
  readonly sessions: number;
  /** How many of them the sum leaves out, since nobody knows their cost. */
  readonly unknown: number;
}

/**
 * The cost of the sessions that run, and of those that ended at or after a time: an agent tells its cost at its end.
 *
 * @param since as the tables have it, `YYYY-MM-DD HH:MM:SS.ffffff` in UTC
 */
export function costSince(readModel: ReadModel, since: string): CostSum {
  const sum = readModel
    .prepared<[string], CostSum>(
      `SELECT sum(a.cost_micro_usd) AS cost_micro_usd, count(*) AS sessions,
         count(*) - count(a.cost_micro_usd) AS unknown
       FROM sessions s LEFT JOIN agents a ON a.session_id = s.id
       WHERE s.completed_at IS NULL OR s.completed_at >= ?`,
    )
    .get(since);
  return sum ?? { cost_micro_usd: null, sessions: 0, unknown: 0 };
}
