import type { ReadModel } from "../projections/read-model.ts";
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
  for (const learning of learningsOf(readModel)) {
    const title = titleOf(learning);
    groups.set(title, [...(groups.get(title) ?? []), learning]);
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

interface Learning {
  readonly digest: string;
  readonly text: string;
  readonly kind: string;
  readonly scope: "project" | "feature" | "task";
  readonly rationale: string | null;
  /** Null where it was told in the course of no task; scope `task` always has one. */
  readonly task_id: number | null;
  /** The feature that it is compared in, or that its task belongs to now. */
  readonly realm_feature: string;
  readonly confirmations: number;
}

/** The project's first, then the features' by their names, then the tasks' by their ids. */
function learningsOf(readModel: ReadModel): Learning[] {
  // A learning is compared within its feature, or within its task where that has none of its own known to the
  // projection: an agent's proposal. The board knows the feature of every task.
  return readModel
    .prepared<[], Learning>(
      `SELECT l.digest, l.text, l.kind, l.scope, l.rationale, l.task_id, l.confirmations,
         CASE WHEN l.realm LIKE 'feature %' THEN substr(l.realm, 9) ELSE coalesce(t.feature, 'general') END AS realm_feature
       FROM learnings l LEFT JOIN tasks t ON t.id = l.task_id
       WHERE l.mark <> 'retired'
       ORDER BY CASE l.scope WHEN 'project' THEN 0 WHEN 'feature' THEN 1 ELSE 2 END,
         CASE l.scope WHEN 'feature' THEN realm_feature END, CASE l.scope WHEN 'task' THEN l.task_id END,
         l.last_confirmed DESC`,
    )
    .all();
}

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
