import { question, type RowOf, valuesIn } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { type Columns, columnsByGroup } from "./columns.ts";
import { packed } from "./packed.ts";
import { isIn, perScope, type Scope, type ScopeValues } from "./scope.ts";
import { most, sum } from "./spread.ts";

/** What was learned, by groups: how often each thing was told again. By when it was told first. */
export function learnedByGroup(readModel: ReadView, scope: Scope) {
  return columnsByGroup(readModel, scope, learnedOf(scope));
}

type Learned = Columns<RowOf<ReturnType<typeof learnedOf>>>;

/** How often what was learned was told again: a confirmation is each time after the first. */
export function learningFigures(groups: readonly Learned[]) {
  return groups.map(({ group, confirmations }) => ({
    group,
    learnings: confirmations.length,
    confirmed: confirmations.filter((times) => times > 0).length,
    confirmations: sum(confirmations),
    most: most(confirmations),
  }));
}

/** The learnings that were told again most often, at most ten, in an agent's or a human's words. */
export function mostConfirmed(readModel: ReadView, groups: readonly Learned[]) {
  const first = groups
    .flatMap(({ group, ids, confirmations }) =>
      ids.flatMap((learning, row) => {
        const times = confirmations[row] ?? 0;
        return times > 0 ? [{ group, learning, confirmations: times }] : [];
      }),
    )
    .sort((a, b) => b.confirmations - a.confirmations || a.learning - b.learning)
    .slice(0, 10);
  const ids = JSON.stringify(first.map(({ learning }) => learning));
  const texts = new Map(readModel.all(TEXTS, { ids }).map(({ id, text }) => [id, text]));
  return first.map(({ group, learning, confirmations }) => ({
    group,
    text: texts.get(learning) ?? "",
    learning,
    confirmations,
  }));
}

const learnedOf = perScope(({ keysOf }) =>
  question<ScopeValues>()((tables, given) =>
    tables
      .selectFrom("learnings as l")
      .where(({ ref }) => isIn(given, ref("l.created")))
      .select((eb) => [
        keysOf(eb.ref("l.created"), eb.ref("l.task_id")).as("keys"),
        packed(eb.ref("l.id")).as("ids"),
        packed(eb("l.confirmations", "-", 1)).as("confirmations"),
      ]),
  ),
);

const TEXTS = question<{ ids: string }>()((tables, given) =>
  tables
    .selectFrom("learnings")
    .select(["id", "text"])
    .where("id", "in", valuesIn<number>(given("ids"))),
);
