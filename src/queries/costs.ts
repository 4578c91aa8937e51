import type { AliasedExpression } from "kysely";
import type { Session } from "../projections/board/tables.ts";
import { question, type Tables } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

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

/** Two ranges of the index of ends: with an OR, each session would be looked up in the table, too. */
const SINCE = question<{ since: string }>()((tables, given) => {
  const ids = () => tables.selectFrom("sessions").select("id");
  const running = ids().where("completed_at", "is", null);
  const ended = ids().where("completed_at", ">=", given("since"));
  return sumOfSessions(tables, running.unionAll(ended).as("s"));
});

/** `CostSum` of some sessions. */
export function sumOfSessions(tables: Tables, some: AliasedExpression<Pick<Session, "id">, "s">) {
  const each = tables
    .selectFrom(some)
    .select((session) =>
      session
        .selectFrom("agents as a")
        .whereRef("a.session_id", "=", "s.id")
        .select("a.cost_micro_usd")
        .$asScalar()
        .as("cost"),
    );
  return tables
    .selectFrom(each.as("c"))
    .select(({ fn }) => [
      fn.sum<number | null>("c.cost").as("cost_micro_usd"),
      fn.countAll<number>().as("sessions"),
    ])
    .select((eb) => eb(eb.fn.countAll<number>(), "-", eb.fn.count<number>("c.cost")).as("unknown"));
}
