import { sql } from "kysely";
import { question, type RowOf } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { headOf, indented, oneLine } from "./render-text.ts";
import { type StateText, wholeText } from "./state-text.ts";

/**
 * The text of learnings.txt: what was learned in the project, in each feature and on single tasks, each thing once, the
 * last confirmed first. A function of the read model's rows alone.
 */
export function renderLearnings(readModel: ReadModel): string {
  return wholeText(learningsText(readModel));
}

/** The same as data. */
export function learningsText(readModel: ReadModel): StateText {
  const groups = new Map<string, Learning[]>();
  for (const learning of readModel.all(LEARNINGS, {})) {
    const title = titleOf(learning);
    const before = groups.get(title);
    if (before) before.push(learning);
    else groups.set(title, [learning]);
  }
  return {
    head: headOf("Learnings"),
    sections: [...groups].map(([title, learnings]) => ({
      title,
      entries: once(learnings).map(linesOf),
      keep: "first",
    })),
    empty: "Nothing was learned yet.",
  };
}

/**
 * `task_id`: null where it was told in the course of no task; scope `task` always has one. `realm_feature`: the feature that it is
 * compared in, or that its task belongs to now.
 */
type Learning = RowOf<typeof LEARNINGS>;

/** The project's first, then the features' by their names, then the tasks' by their ids. */
const LEARNINGS = question()((tables) =>
  tables
    .selectFrom("learnings as l")
    .leftJoin("tasks as t", "t.id", "l.task_id")
    .where("l.mark", "<>", "retired")
    .select(["l.digest", "l.text", "l.kind", "l.scope", "l.rationale", "l.task_id", "l.confirmations"])
    // A learning is compared within its feature, or within its task where that has none of its own known to the
    // projection: an agent's proposal. The board knows the feature of every task.
    .select((eb) =>
      eb
        .case()
        .when("l.realm", "like", "feature %")
        .then(sql<string>`substr(${eb.ref("l.realm")}, 9)`)
        .else(eb.fn.coalesce("t.feature", eb.val("general")))
        .end()
        .as("realm_feature"),
    )
    .orderBy((eb) => eb.case("l.scope").when("project").then(0).when("feature").then(1).else(2).end())
    // The column above: Kysely does not know its name within an expression.
    .orderBy((eb) => eb.case("l.scope").when("feature").then(sql.ref("realm_feature")).end())
    .orderBy((eb) => eb.case("l.scope").when("task").then(eb.ref("l.task_id")).end())
    .orderBy("l.last_confirmed", "desc"),
);

function titleOf({ scope, realm_feature, task_id }: Learning): string {
  if (scope === "project") return "The project";
  return scope === "feature" ? `Feature ${oneLine(realm_feature)}` : `Task #${task_id}`;
}

/** What two realms of one group both have is one entry, confirmed as often as both. */
function once(learnings: readonly Learning[]): Learning[] {
  const entries = new Map<string, Learning>();
  for (const learning of learnings) {
    const before = entries.get(learning.digest);
    const confirmations = learning.confirmations + (before?.confirmations ?? 0);
    entries.set(learning.digest, { ...(before ?? learning), confirmations });
  }
  return [...entries.values()];
}

function linesOf({ kind, text, rationale, confirmations }: Learning): string[] {
  const [first = "", ...others] = indented(text);
  const often = confirmations > 1 ? `, confirmed ${confirmations} times` : "";
  const why = indented(rationale ?? "", "  Why: ").slice(0, 1);
  return [`- (${kind}${often}) ${first.trim()}`, ...others, ...why, ...indented(rationale ?? "").slice(1)];
}
