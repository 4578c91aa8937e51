import type { ReadModel } from "../../read-model.ts";
import { byGroup, type Group, type Scope } from "./scope.ts";

/** With what sessions closed, in each period by their end. */
export function closingFigures(readModel: ReadModel, scope: Scope) {
  return byGroup(readModel.prepared<object, Closings>(closedByGroup(scope)).all(scope.given));
}

type Closings = Readonly<
  Record<"ended" | "done" | "unverified" | "partial" | "stuck" | "inferred_stuck" | "none", number>
> & { readonly group: Group; readonly period: string };

function closedByGroup({ groupOf, includes, periodOf }: Scope): string {
  return `SELECT ${groupOf("t.completed_at", "t.task_id")} AS "group", ${periodOf("t.completed_at")} AS period,
    count(*) AS ended,
    count(*) FILTER (WHERE t.closing = 'done' AND t.unverified = 0) AS done,
    count(*) FILTER (WHERE t.closing = 'done' AND t.unverified = 1) AS unverified,
    count(*) FILTER (WHERE t.closing = 'partial') AS partial,
    count(*) FILTER (WHERE t.closing = 'stuck' AND t.inferred = 0) AS stuck,
    count(*) FILTER (WHERE t.closing = 'stuck' AND t.inferred = 1) AS inferred_stuck,
    count(*) FILTER (WHERE t.closing IS NULL) AS none
  FROM session_times t WHERE ${includes("t.completed_at")} GROUP BY 1, 2 ORDER BY 2`;
}
