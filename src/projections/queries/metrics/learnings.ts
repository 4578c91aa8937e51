import { question } from "../../question.ts";
import type { ReadModel } from "../../read-model.ts";
import { byGroup, FIRST, isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";

/** How often what was learned was told again: a confirmation is each time after the first. By when it was told first. */
export function learningFigures(readModel: ReadModel, scope: Scope) {
  return byGroup(readModel.all(learnedByGroup(scope), scope.given));
}

/** The learnings that were told again most often, at most ten, in an agent's or a human's words. */
export function mostConfirmed(readModel: ReadModel, scope: Scope) {
  return readModel.all(mostConfirmedOf(scope), scope.given);
}

const learnedByGroup = perScope(({ groupOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("learnings as l")
      .where(({ ref }) => isIn(given, ref("l.created")))
      .select((eb) => [
        groupOf(tables, eb.ref("l.created"), eb.ref("l.task_id")).as("group"),
        eb.fn.countAll<number>().as("learnings"),
        eb.fn.sum<number>(eb("l.confirmations", ">", 1).$castTo<number>()).as("confirmed"),
        eb.fn.sum<number>(eb("l.confirmations", "-", 1)).as("confirmations"),
        eb.fn.max(eb("l.confirmations", "-", 1)).as("most"),
      ])
      .groupBy(FIRST),
  ),
);

const mostConfirmedOf = perScope(({ groupOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("learnings as l")
      .where("l.confirmations", ">", 1)
      .where(({ ref }) => isIn(given, ref("l.created")))
      .select((eb) => [
        groupOf(tables, eb.ref("l.created"), eb.ref("l.task_id")).as("group"),
        "l.text",
        "l.id as learning",
        eb("l.confirmations", "-", 1).as("confirmations"),
      ])
      .orderBy("l.confirmations", "desc")
      .orderBy("l.id")
      .limit(10),
  ),
);
