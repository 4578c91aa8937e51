import { z } from "zod";
import { learningMarks } from "../../../events/types/learnings.ts";
import { learningKinds, learningScopes } from "../../../events/types/signals.ts";
import { learningSources } from "../../../projections/learnings.ts";
import { findLearning, type Learning, listLearnings } from "../../../projections/queries/learnings.ts";
import { promptsWith } from "../../../replay/why/item.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** What was learned, each thing once: what is pinned first, then what was said last. Retired ones stand at the end. */
export const learningsAnswer = defineAnswer({
  name: "learnings",
  query: z.strictObject({
    /** Words that all stand in the text or the rationale. */
    text: z.string().max(500).optional(),
    scope: z.enum(learningScopes).optional(),
    kind: z.enum(learningKinds).optional(),
    mark: z.enum(learningMarks).optional(),
    offset: wholeNumber(0).optional(),
  }),
  answer: ({ readModel }, { text = "", scope, kind, mark, offset = 0 }) => {
    const all = listLearnings(readModel);
    const words = wordsIn(text);
    const found = all.filter((learning) => hasAll(learning, words));
    const chosen = found
      .filter((one) => scope === undefined || one.scope === scope)
      .filter((one) => kind === undefined || one.kind === kind)
      .filter((one) => mark === undefined || one.mark === mark)
      .sort(
        (a, b) =>
          RANK[a.mark] - RANK[b.mark] || b.last_confirmed.localeCompare(a.last_confirmed) || b.id - a.id,
      );
    return {
      total: all.length,
      found: chosen.length,
      /** Of what has the words, whatever else is chosen: what each choice would show. */
      scopes: tally(
        learningScopes,
        found.map((one) => one.scope),
      ),
      kinds: tally(
        learningKinds,
        found.map((one) => one.kind),
      ),
      marks: tally(
        ["pinned", "retired"],
        found.map((one) => one.mark),
      ),
      offset,
      rows: chosen.slice(offset, offset + PAGE).map(lineOf),
    };
  },
});

/** A learning with everything that was said behind it, and where it was used. */
export const learningAnswer = defineAnswer({
  name: "learning",
  query: z.strictObject({ id: wholeNumber(1) }),
  answer: ({ readModel }, { id }) => {
    const entry = findLearning(readModel, id);
    if (!entry) return null;
    const sources = readModel.rowsOf({ learningSources }).learningSources.where({ learning_id: id });
    return {
      ...entry,
      sources: sources.map(({ id: position, task_id, session_id, source, text, rationale, created }) => {
        return { position, task: task_id, session: session_id, source, text, rationale, created };
      }),
      prompts: promptsWith(readModel, id),
    };
  },
});

/** So many rows are sent at once. */
const PAGE = 200;
const RANK = { pinned: 0, none: 1, retired: 2 } as const;

function lineOf({
  id,
  text,
  kind,
  scope,
  feature,
  task_id,
  rationale,
  confirmations,
  mark,
  last_confirmed,
}: Learning) {
  return { id, text, kind, scope, feature, task_id, rationale, confirmations, mark, last_confirmed };
}

/** By containment and not by the index of words, which is that of the present alone. */
function hasAll({ text, rationale }: Learning, words: readonly string[]): boolean {
  const said = `${text}\n${rationale ?? ""}`.toLowerCase();
  return words.every((word) => said.includes(word));
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[^\s]+/g) ?? [];
}

/** How many there are of each; of none, too. */
function tally(names: readonly string[], there: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, there.filter((one) => one === name).length]));
}
