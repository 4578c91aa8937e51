import { AGENT } from "../events/actors.ts";
import type { Event } from "../events/types/index.ts";
import { learningMarks, learningOrigins } from "../events/types/learnings.ts";
import { learningKinds, learningScopes } from "../events/types/signals.ts";
import { isMark } from "../events/types/structure.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { digestOf, ownDigest } from "./same-words.ts";
import { defineTable, flag, integer, means, type NewRow, nullable, oneOf, text, toFlag } from "./table.ts";

export const learningsTable = defineTable("learnings", {
  description: "One row for each learning, however often it was said.",
  columns: {
    id: means(integer, "the position of the first time"),
    text: means(text, "of the first time"),
    kind: means(oneOf(learningKinds), "of the first time"),
    scope: means(oneOf(learningScopes), "of the first time"),
    rationale: means(nullable(text), "of the first time"),
    task_id: means(
      nullable(integer),
      "the task of the first time, if it had one; for scope task the only task it is about",
    ),
    realm: means(text, "it is compared only within this: `project`, `feature …` or `task …`"),
    digest: means(
      text,
      "a hash of its words; equal for entries that say the same in different realms, and unique for one that a human split off",
    ),
    split_from: means(nullable(integer), "the entry that a human split it from"),
    agent_words: means(
      flag,
      "0 if a human wrote it; otherwise prompts quote it as an agent's or a program's words",
    ),
    confirmations: means(integer, "how often it was said"),
    mark: means(
      oneOf(learningMarks),
      "a human's decision: pinned comes first in prompts, retired is left out of them",
    ),
    mark_reason: means(nullable(text), "the reason, if the human gave one"),
    marked_at: means(nullable(integer), "the position of that decision"),
    created: text,
    last_confirmed: text,
  },
  key: ["id"],
  lookups: { by_digest: ["realm", "digest"], by_split: ["split_from"] },
  indexes: {
    by_scope: ["scope", "id"],
    by_mark: ["mark", "realm", "id"],
    by_choice: ["scope", "kind", "mark", "last_confirmed", "id"],
  },
  search: ["text", "rationale"],
});

export const learningSources = defineTable("learning_sources", {
  description: "Everything that was said for an entry of `learnings`, in its original words.",
  columns: {
    id: means(integer, "the position of the signal or of the addition"),
    learning_id: means(integer, "its entry"),
    task_id: nullable(integer),
    session_id: means(nullable(text), "NULL if it did not come from a session's verb"),
    source: means(oneOf(learningOrigins), "who learned it"),
    agent_words: means(flag, "0 if a human wrote it"),
    text: means(text, "as it was said this time"),
    kind: means(oneOf(learningKinds), "as it was said this time"),
    scope: means(oneOf(learningScopes), "as it was said this time"),
    rationale: means(nullable(text), "as it was said this time"),
    created: text,
  },
  key: ["id"],
  lookups: { by_learning: ["learning_id", "id"], by_session: ["session_id", "id"] },
  indexes: {
    by_task: ["task_id", "id"],
  },
  search: ["text", "rationale"],
});

/** The feature of each task: a learning of scope `feature` is compared within its feature. */
const taskFeaturesTable = defineTable("learning_task_features", {
  columns: { task_id: integer, feature: text },
  key: ["task_id"],
});

const tables = {
  learnings: learningsTable,
  sources: learningSources,
  taskFeatures: taskFeaturesTable,
};
type LearningRows = RowsOf<typeof tables>;

/** Learnings of agents: repeated ones merge into one entry, with all sources kept. */
export const learnings = defineProjection({
  name: "learnings",
  version: 9,
  tables,
  former: ["learning_probes"],
  on: {
    "signal.learned": (event, rows) => keepLearning(rows, event, saidBySignal(rows, event)),
    "learning.added": (event, rows) => keepLearning(rows, event, saidOtherwise(event)),
    "learning.marked": ({ position, payload: { learning, mark, reason } }, rows) =>
      rows.learnings.update(learning, { mark, mark_reason: reason ?? null, marked_at: position }),
    "learning.split": ({ payload }, rows) => splitOff(rows, payload),
    "task.created": ({ payload }, rows) =>
      rows.taskFeatures.insert({ task_id: payload.task, feature: payload.feature }),
    "task.changed": ({ payload }, rows) =>
      rows.taskFeatures.update(payload.task, { feature: payload.feature }),
  },
});

/** A learning from any source. */
type Said = Omit<NewRow<typeof learningSources>, "id" | "learning_id" | "created"> & {
  readonly realm: string;
};

function saidBySignal(rows: LearningRows, { payload }: Event<"signal.learned">): Said {
  const { task, session, text: said, kind, rationale, scope = "feature" } = payload;
  return {
    task_id: task,
    session_id: session,
    source: "agent",
    text: said,
    kind,
    scope,
    rationale: rationale ?? null,
    realm: realmOf(rows, scope, task),
    agent_words: 1,
  };
}

function saidOtherwise({ payload, actor, correlation }: Event<"learning.added">): Said {
  const { feature, text: said, kind, source, reason, task } = payload;
  return {
    task_id: task ?? null,
    session_id: correlation ?? null,
    source,
    text: said,
    kind,
    scope: feature === undefined ? "project" : "feature",
    rationale: reason ?? null,
    realm: feature === undefined ? "project" : `feature ${feature}`,
    // An agent may claim that a human found it; the text is still the agent's.
    agent_words: toFlag(actor === AGENT || source !== "human"),
  };
}

function keepLearning(rows: LearningRows, event: Event, { realm, ...said }: Said): void {
  const { position } = event;
  const created = toSqlTime(event.recordedAt);
  // A redacted text equals no other, not even another redacted one.
  const isGone = event.redacted !== undefined && isMark(said.text);
  const digest = isGone ? ownDigest(position) : digestOf(said.text);
  const entry = findEntry(rows, { realm, digest, text: said.text }) ?? position;
  if (entry === position) {
    addEntry(rows, { id: position, digest, created }, { realm, ...said });
  } else {
    const { confirmations = 0 } = rows.learnings.get(entry) ?? {};
    rows.learnings.update(entry, { confirmations: confirmations + 1, last_confirmed: created });
  }
  rows.sources.insert({ id: position, learning_id: entry, created, ...said });
}

function addEntry(
  rows: LearningRows,
  entry: { id: number; digest: string; split_from?: number; created: string },
  { realm, agent_words, text: said, kind, scope, rationale, task_id }: Said,
): void {
  rows.learnings.insert({
    ...entry,
    text: said,
    kind,
    scope,
    rationale: rationale ?? null,
    task_id: task_id ?? null,
    realm,
    agent_words,
    confirmations: 1,
    mark: "none",
    last_confirmed: entry.created,
  });
}

/** Splits a merged report off into an entry of its own. */
function splitOff(rows: LearningRows, { learning, source }: { learning: number; source: number }): void {
  const told = rows.sources.get(source);
  const entry = rows.learnings.get(learning);
  if (!told || !entry) return;
  const { learning_id: _, id, created, ...said } = told;
  rows.sources.update(source, { learning_id: source });
  const left = rows.sources.where({ learning_id: learning });
  rows.learnings.update(learning, {
    confirmations: left.length,
    last_confirmed: left.at(-1)?.created ?? entry.created,
  });
  const split_from = entry.split_from ?? learning;
  addEntry(rows, { id, digest: ownDigest(id), split_from, created }, { realm: entry.realm, ...said });
}

/**
 * The entry in the realm with the same words, if any. If a human split it, the part with exactly
 * this text, else the oldest part.
 */
function findEntry(
  rows: LearningRows,
  { realm, digest, text: said }: { realm: string; digest: string; text: string },
): number | undefined {
  const [entry] = rows.learnings.first(1, { realm, digest });
  if (!entry) return undefined;
  const parts = [entry, ...rows.learnings.where({ split_from: entry.id })];
  return (parts.find((part) => part.text === said) ?? entry).id;
}

function realmOf(rows: LearningRows, scope: (typeof learningScopes)[number], task: number): string {
  if (scope === "project") return "project";
  if (scope === "task") return `task ${task}`;
  // A task proposed by an agent has no creation event here; its learnings are compared within that
  // task.
  const feature = rows.taskFeatures.get(task)?.feature;
  return feature === undefined ? `task ${task}` : `feature ${feature}`;
}
