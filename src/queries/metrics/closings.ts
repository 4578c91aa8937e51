import { question } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";

const NOTHING = { ended: 0, done: 0, unverified: 0, partial: 0, stuck: 0, inferred_stuck: 0, none: 0 };
type Closing = Exclude<keyof typeof NOTHING, "ended">;

/** With what sessions closed, in each period by their end. */
export function closingFigures(readModel: ReadView, scope: Scope) {
  return columnsByGroup(readModel, scope, closingsOf(scope)).flatMap(({ group, periods, closings }) => {
    const counts = new Map<string, typeof NOTHING>();
    for (const [row, period] of periods.entries()) {
      const count = counts.get(period) ?? { ...NOTHING };
      counts.set(period, count);
      count.ended += 1;
      count[closings[row] ?? "none"] += 1;
    }
    const inOrder = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return inOrder.map(([period, count]) => ({ group, period, ...count }));
  });
}

const closingsOf = perScope(({ keysOf, periodOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("session_times as t")
      .where(({ ref }) => isIn(given, ref("t.completed_at")))
      .select((eb) => [
        keysOf(eb.ref("t.completed_at"), eb.ref("t.task_id")).as("keys"),
        packed(periodOf(eb.ref("t.completed_at"))).as("periods"),
        packed(
          eb
            .case()
            .when(eb.and([eb("t.closing", "=", "done"), eb("t.unverified", "=", 1)]))
            .then(eb.val<Closing>("unverified"))
            .when(eb.and([eb("t.closing", "=", "stuck"), eb("t.inferred", "=", 1)]))
            .then(eb.val<Closing>("inferred_stuck"))
            .else(eb.ref("t.closing").$castTo<Closing | null>())
            .end(),
        ).as("closings"),
      ]),
  ),
);
