import { z } from "zod";
import {
  findLearning,
  isBlank,
  type Learning,
  type LearningCount,
  learningKinds,
  learningMarks,
  learningScopes,
  learningSources,
  pageOfLearnings,
  promptCounts,
  promptsWith,
  type ReadModel,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** Learnings, deduplicated: pinned ones first, then the latest, retired ones last. */
export const learningsAnswer = defineAnswer({
  name: "learnings",
  query: z.strictObject({
    /** Words or prefixes that must all occur in one source. */
    text: z.string().max(500).optional(),
    scope: z.enum(learningScopes).optional(),
    kind: z.enum(learningKinds).optional(),
    mark: z.enum(learningMarks).optional(),
    row: wholeNumber(0).optional(),
  }),
  answer: ({ readModel }, { text = "", scope, kind, mark, row = 0 }) => {
    const search = isBlank(text) ? undefined : text;
    const found = pageOfLearnings(readModel, { search, scope, kind, mark }, { row, limit: PAGE });
    return {
      total: found.total,
      found: found.found,
      /** Counts of the text search by each value, independent of the other filters. */
      scopes: tally(learningScopes, found.counts, "scope"),
      kinds: tally(learningKinds, found.counts, "kind"),
      marks: tally(["pinned", "retired"], found.counts, "mark"),
      row,
      rows: withUses(readModel, found.rows.map(lineOf)),
    };
  },
});

/** A learning with its sources and uses. */
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

/** Rows per answer. */
const PAGE = 200;

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

/** Adds the number of prompts that used each one. */
function withUses<Line extends { readonly id: number }>(readModel: ReadModel, lines: readonly Line[]) {
  const counts = promptCounts(
    readModel,
    lines.map(({ id }) => id),
  );
  return lines.map((line) => ({ ...line, prompts: counts.get(line.id) ?? 0 }));
}

/** Counts by name, zeros included. */
function tally<Column extends "scope" | "kind" | "mark">(
  names: readonly string[],
  counts: readonly LearningCount[],
  column: Column,
): Record<string, number> {
  const of = (name: string) => counts.filter((one) => one[column] === name);
  return Object.fromEntries(
    names.map((name) => [name, of(name).reduce((sum, { learnings }) => sum + learnings, 0)]),
  );
}
