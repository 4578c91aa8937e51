import { proposedWords } from "../board/proposals.ts";
import type { Suggestion, Task } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";

/** Lists are JSON in their columns, and empty in a draft as it is proposed. */
const LISTS = ["criteria", "context_files", "tags", "output_artifacts"] as const;
const TEXTS = ["hints", "pseudocode"] as const;

export type ChangedField = "title" | "description" | (typeof LISTS)[number] | (typeof TEXTS)[number];

/**
 * Of each of these proposals that waits for a human, which fields of its draft are not as the agent proposed them: a human may have
 * edited it, `enrich_task` may have filled it.
 *
 * @returns by the suggestion's id; those whose draft is as it was proposed have no fields
 */
export function changedProposals(
  readModel: ReadModel,
  suggestions: readonly number[],
): ReadonlyMap<number, readonly ChangedField[]> {
  const rows = readModel.prepared<[string], Draft>(DRAFTS).all(JSON.stringify(suggestions));
  return new Map(rows.map((draft) => [draft.suggestion_id, changedFields(draft)]));
}

type Words = Pick<Task, "title" | "description" | (typeof LISTS)[number] | (typeof TEXTS)[number]>;
type Draft = Words & Pick<Suggestion, "what" | "why"> & { readonly suggestion_id: number };

const DRAFTS = `SELECT s.id AS suggestion_id, s.what, s.why, d.title, d.description, ${[...LISTS, ...TEXTS].map((name) => `d.${name}`).join(", ")}
  FROM suggestions s JOIN tasks d ON d.id = s.proposed_task
  WHERE s.id IN (SELECT value FROM json_each(?)) AND s.state = 'proposed'`;

function changedFields(draft: Draft): ChangedField[] {
  const proposed = proposedWords(draft);
  return [
    ...(["title", "description"] as const).filter((field) => draft[field] !== proposed[field]),
    ...LISTS.filter((field) => draft[field] !== "[]"),
    ...TEXTS.filter((field) => draft[field]),
  ];
}
