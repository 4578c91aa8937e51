import type { learningsTable } from "../learnings.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

/** A learning as users see it; where several entries say the same words, the first of them, confirmed as often as all. */
export type FeatureLearning = Pick<
  Row<typeof learningsTable>,
  "id" | "text" | "kind" | "rationale" | "task_id" | "agent_words" | "confirmations" | "last_confirmed"
>;

/** What was learned about a feature, the last confirmed first, and how much more of it there is than `limit`. */
export function featureLearnings(
  readModel: ReadModel,
  feature: string,
  limit: number,
): { readonly learnings: FeatureLearning[]; readonly left_out: number } {
  const realms = JSON.stringify(realmsOfFeature(readModel, feature));
  const rows = readModel
    .prepared<[string, number], FeatureLearning & { total: number }>(
      `SELECT l.id, l.text, l.kind, l.rationale, l.task_id, l.agent_words, same.confirmations, same.last_confirmed,
         count(*) OVER () AS total
       FROM (SELECT min(id) AS id, sum(confirmations) AS confirmations, max(last_confirmed) AS last_confirmed
             FROM learnings WHERE scope = 'feature' AND mark <> 'retired' AND realm IN (SELECT value FROM json_each(?)) GROUP BY digest) same
         JOIN learnings l ON l.id = same.id
       ORDER BY same.last_confirmed DESC LIMIT ?`,
    )
    .all(realms, limit);
  return {
    learnings: rows.map(({ total: _, ...learning }) => learning),
    left_out: (rows[0]?.total ?? 0) - rows.length,
  };
}

/**
 * The realms of a feature: its own, and those of its tasks that agents proposed. What is learned on such a task is kept
 * under the task, whatever its scope (src/projections/learnings.ts).
 */
export function realmsOfFeature(readModel: ReadModel, feature: string): string[] {
  const proposed = readModel
    .prepared<[string], { id: number }>(
      "SELECT id FROM tasks WHERE feature = ? AND origin = 'agent' ORDER BY id",
    )
    .all(feature);
  return [`feature ${feature}`, ...proposed.map(({ id }) => `task ${id}`)];
}
