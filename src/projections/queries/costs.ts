import { question, type Tables } from "../question.ts";
import type { ReadView } from "../read-view.ts";

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
export function costSince(readModel: ReadView, since: string): CostSum {
  return readModel.get(SINCE, { since }) ?? { cost_micro_usd: null, sessions: 0, unknown: 0 };
}

const SINCE = question<{ since: string }>()((tables, given) =>
  sumOfSessions(tables).where((eb) =>
    eb.or([eb("s.completed_at", "is", null), eb("s.completed_at", ">=", given("since"))]),
  ),
);

/** `CostSum` of sessions `s`. */
export const sumOfSessions = (tables: Tables) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("agents as a", "a.session_id", "s.id")
    .select(({ fn }) => [
      fn.sum<number | null>("a.cost_micro_usd").as("cost_micro_usd"),
      fn.countAll<number>().as("sessions"),
    ])
    .select((eb) => eb(eb.fn.countAll<number>(), "-", eb.fn.count<number>("a.cost_micro_usd")).as("unknown"));
