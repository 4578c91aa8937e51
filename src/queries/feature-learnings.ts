import type { learningsTable } from "../projections/learnings.ts";
import type { Row } from "../projections/table.ts";
import { question, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A learning as users see it; where several entries say the same words, the first of them, confirmed as often as all. */
export type FeatureLearning = Pick<
  Row<typeof learningsTable>,
  "id" | "text" | "kind" | "rationale" | "task_id" | "agent_words" | "confirmations" | "last_confirmed"
>;

/** What was learned about a feature, the last confirmed first, and how much more of it there is than `limit`. */
export function featureLearnings(
  readModel: ReadView,
  feature: string,
  limit: number,
): { readonly learnings: FeatureLearning[]; readonly left_out: number } {
  const realms = JSON.stringify(realmsOfFeature(readModel, feature));
  const rows = readModel.all(LAST_CONFIRMED, { realms, limit });
  return {
    learnings: rows.map(({ total: _, ...learning }) => learning),
    left_out: (rows[0]?.total ?? 0) - rows.length,
  };
}

/**
 * The realms of a feature: its own, and those of its tasks that agents proposed. What is learned on such a task is kept
 * under the task, whatever its scope (src/projections/learnings.ts).
 */
export function realmsOfFeature(readModel: ReadView, feature: string): string[] {
  const proposed = readModel.all(PROPOSED, { feature });
  return [`feature ${feature}`, ...proposed.map(({ id }) => `task ${id}`)];
}

const PROPOSED = question<{ feature: string }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .select("id")
    .where("feature", "=", given("feature"))
    .where("origin", "=", "agent")
    .orderBy("id"),
);

const LAST_CONFIRMED = question<{ realms: string; limit: number }>()((tables, given) =>
  tables
    .selectFrom((same) =>
      same
        .selectFrom("learnings")
        .select(({ fn }) => [
          fn.min("id").as("id"),
          fn.sum<number>("confirmations").as("confirmations"),
          fn.max("last_confirmed").as("last_confirmed"),
        ])
        .where("scope", "=", "feature")
        .where("mark", "<>", "retired")
        .where("realm", "in", valuesIn<string>(given("realms")))
        .groupBy("digest")
        .as("same"),
    )
    .innerJoin("learnings as l", "l.id", "same.id")
    .select(["l.id", "l.text", "l.kind", "l.rationale", "l.task_id", "l.agent_words"])
    .select(["same.confirmations", "same.last_confirmed"])
    .select(({ fn }) => fn.countAll<number>().over().as("total"))
    .orderBy("same.last_confirmed", "desc")
    .limit(given("limit")),
);
