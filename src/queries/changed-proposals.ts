import { proposedWords } from "../projections/board/proposals.ts";
import { question, type RowOf, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

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
  readModel: ReadView,
  suggestions: readonly number[],
): ReadonlyMap<number, readonly ChangedField[]> {
  const rows = readModel.all(DRAFTS, { suggestions: JSON.stringify(suggestions) });
  return new Map(rows.map((draft) => [draft.suggestion_id, changedFields(draft)]));
}

const DRAFTS = question<{ suggestions: string }>()((tables, given) =>
  tables
    .selectFrom("suggestions as s")
    .innerJoin("tasks as d", "d.id", "s.proposed_task")
    .select(["s.id as suggestion_id", "s.what", "s.why", "d.title", "d.description"])
    .select(["d.criteria", "d.context_files", "d.tags", "d.output_artifacts", "d.hints", "d.pseudocode"])
    .where("s.id", "in", valuesIn<number>(given("suggestions")))
    .where("s.state", "=", "proposed")
    .where("s.kind", "<>", "edit"),
);

function changedFields(draft: RowOf<typeof DRAFTS>): ChangedField[] {
  const proposed = proposedWords(draft);
  return [
    ...(["title", "description"] as const).filter((field) => draft[field] !== proposed[field]),
    ...LISTS.filter((field) => draft[field] !== "[]"),
    ...TEXTS.filter((field) => draft[field]),
  ];
}
