import { question } from "../../question.ts";
import type { ReadModel } from "../../read-model.ts";
import { byGroup, FIRST, isIn, perScope, type Scope, type ScopeValues, SECOND } from "./scope.ts";

/** With what sessions closed, in each period by their end. */
export function closingFigures(readModel: ReadModel, scope: Scope) {
  return byGroup(readModel.all(closedByGroup(scope), scope.given));
}

const closedByGroup = perScope(({ groupOf, periodOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("session_times as t")
      .where(({ ref }) => isIn(given, ref("t.completed_at")))
      .select(({ fn, ref }) => {
        const count = fn.countAll<number>();
        const done = count.filterWhere("t.closing", "=", "done");
        const stuck = count.filterWhere("t.closing", "=", "stuck");
        return [
          groupOf(tables, ref("t.completed_at"), ref("t.task_id")).as("group"),
          periodOf(ref("t.completed_at")).as("period"),
          count.as("ended"),
          done.filterWhere("t.unverified", "=", 0).as("done"),
          done.filterWhere("t.unverified", "=", 1).as("unverified"),
          count.filterWhere("t.closing", "=", "partial").as("partial"),
          stuck.filterWhere("t.inferred", "=", 0).as("stuck"),
          stuck.filterWhere("t.inferred", "=", 1).as("inferred_stuck"),
          count.filterWhere("t.closing", "is", null).as("none"),
        ];
      })
      .groupBy([FIRST, SECOND])
      .orderBy("period"),
  ),
);
