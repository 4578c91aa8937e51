import type { ReadModel } from "../../read-model.ts";
import { byGroup, type Group, type Scope } from "./scope.ts";

/** How often what was learned was told again: a confirmation is each time after the first. By when it was told first. */
export function learningFigures(readModel: ReadModel, scope: Scope) {
  return byGroup(readModel.prepared<object, Learned>(learnedByGroup(scope)).all(scope.given));
}

/** The learnings that were told again most often, at most ten, in an agent's or a human's words. */
export function mostConfirmed(readModel: ReadModel, scope: Scope) {
  return readModel.prepared<object, MostConfirmed>(mostConfirmedOf(scope)).all(scope.given);
}

type Learned = Readonly<Record<"learnings" | "confirmed" | "confirmations" | "most", number>> & {
  readonly group: Group;
};

type MostConfirmed = Readonly<Record<"learning" | "confirmations", number>> & {
  readonly group: Group;
  readonly text: string;
};

function learnedByGroup({ groupOf, includes }: Scope): string {
  return `SELECT ${groupOf("l.created", "l.task_id")} AS "group", count(*) AS learnings,
    sum(l.confirmations > 1) AS confirmed, sum(l.confirmations - 1) AS confirmations, max(l.confirmations - 1) AS most
  FROM learnings l WHERE ${includes("l.created")} GROUP BY 1`;
}

function mostConfirmedOf({ groupOf, includes }: Scope): string {
  return `SELECT ${groupOf("l.created", "l.task_id")} AS "group", l.text, l.id AS learning, l.confirmations - 1 AS confirmations
  FROM learnings l WHERE l.confirmations > 1 AND ${includes("l.created")}
  ORDER BY l.confirmations DESC, l.id LIMIT 10`;
}
