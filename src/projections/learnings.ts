import { toSqlTime } from "../events/time.ts";
import type { Event } from "../events/types/index.ts";
import { learningKinds, learningScopes } from "../events/types/signals.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import {
  areSimilar,
  type Fingerprint,
  fingerprintOf,
  probesOf,
  similarClasses,
  sizeClass,
} from "./similarity.ts";
import { defineTable, integer, nullable, oneOf, text } from "./table.ts";

/** One entry for each thing that was learned, however often it was said; the id is the position of the first time. */
export const learningsTable = defineTable("learnings", {
  columns: {
    id: integer,
    text: text,
    kind: oneOf(learningKinds),
    scope: oneOf(learningScopes),
    rationale: nullable(text),
    /** The task of the first source; for scope `task` the only one that it concerns. */
    task_id: integer,
    /** Which texts are compared: all of the project, of a feature's name, or of a task. */
    realm: text,
    /** Of the words alone: equal for texts that differ only in letter case, blanks and punctuation. */
    digest: text,
    /** How many signals said it. */
    confirmations: integer,
    created: text,
    last_confirmed: text,
  },
  key: ["id"],
  lookups: { by_digest: ["realm", "digest"] },
  indexes: { by_scope: ["scope", "id"] },
  search: ["text", "rationale"],
});

/** Every signal behind an entry, with its own words. */
export const learningSources = defineTable("learning_sources", {
  columns: {
    id: integer,
    learning_id: integer,
    task_id: integer,
    session_id: text,
    text: text,
    kind: oneOf(learningKinds),
    scope: oneOf(learningScopes),
    rationale: nullable(text),
    created: text,
  },
  key: ["id"],
  indexes: {
    by_learning: ["learning_id", "id"],
    by_session: ["session_id", "id"],
    by_task: ["task_id", "id"],
  },
});

/** The words by which an entry is found when a similar text comes (similarity.ts). */
const probesTable = defineTable("learning_probes", {
  columns: { realm: text, guard: text, word: text, size_class: integer, learning_id: integer },
  key: ["realm", "guard", "word", "size_class", "learning_id"],
});

/** Which feature a task belongs to, since a learning of scope `feature` is compared within its feature. */
const taskFeaturesTable = defineTable("learning_task_features", {
  columns: { task_id: integer, feature: text },
  key: ["task_id"],
});

const tables = {
  learnings: learningsTable,
  sources: learningSources,
  probes: probesTable,
  taskFeatures: taskFeaturesTable,
};
type LearningRows = RowsOf<typeof tables>;

/** What agents learned: exact and near duplicates under one entry, all sources kept. */
export const learnings = defineProjection({
  name: "learnings",
  version: 2,
  tables,
  on: {
    "signal.learned": (event, rows) => keepLearning(rows, event),
    "task.created": ({ payload }, rows) =>
      rows.taskFeatures.insert({ task_id: payload.task, feature: payload.feature }),
    "task.changed": ({ payload }, rows) =>
      rows.taskFeatures.update(payload.task, { feature: payload.feature }),
  },
});

function keepLearning(rows: LearningRows, event: Event<"signal.learned">): void {
  const { task, session, text: said, kind, rationale, scope = "feature" } = event.payload;
  const time = toSqlTime(event.recordedAt);
  const realm = realmOf(rows, scope, task);
  const fingerprint = fingerprintOf(said);
  const entry = findEntry(rows, realm, fingerprint) ?? event.position;
  if (entry === event.position) {
    addEntry(rows, event, realm, fingerprint);
  } else {
    const { confirmations = 0 } = rows.learnings.get(entry) ?? {};
    rows.learnings.update(entry, { confirmations: confirmations + 1, last_confirmed: time });
  }
  rows.sources.insert({
    id: event.position,
    learning_id: entry,
    task_id: task,
    session_id: session,
    text: said,
    kind,
    scope,
    rationale: rationale ?? null,
    created: time,
  });
}

function addEntry(
  rows: LearningRows,
  event: Event<"signal.learned">,
  realm: string,
  fingerprint: Fingerprint,
): void {
  const { task, text: said, kind, rationale, scope = "feature" } = event.payload;
  const time = toSqlTime(event.recordedAt);
  rows.learnings.insert({
    id: event.position,
    text: said,
    kind,
    scope,
    rationale: rationale ?? null,
    task_id: task,
    realm,
    digest: fingerprint.digest,
    confirmations: 1,
    created: time,
    last_confirmed: time,
  });
  const { guard, words } = fingerprint;
  for (const word of probesOf(fingerprint)) {
    rows.probes.insert({
      realm,
      guard,
      word,
      size_class: sizeClass(words.size),
      learning_id: event.position,
    });
  }
}

/**
 * The oldest entry of the realm that says the same, if there is one. At most `CANDIDATES` entries are looked at for
 * each of a few words, so that what a learning costs does not grow with what was learned before; beyond that a near
 * duplicate may stay an entry of its own.
 */
function findEntry(rows: LearningRows, realm: string, fingerprint: Fingerprint): number | undefined {
  const [exact] = rows.learnings.first(1, { realm, digest: fingerprint.digest });
  if (exact) return exact.id;
  const classes = similarClasses(fingerprint.words.size);
  const { guard } = fingerprint;
  const candidates = new Set<number>();
  for (const word of probesOf(fingerprint)) {
    let wanted = CANDIDATES;
    for (const size_class of classes) {
      const found = rows.probes.first(wanted, { realm, guard, word, size_class });
      for (const { learning_id } of found) candidates.add(learning_id);
      wanted -= found.length;
    }
  }
  return [...candidates]
    .sort((a, b) => a - b)
    .find((id) => {
      const candidate = rows.learnings.get(id);
      return candidate !== undefined && areSimilar(fingerprint, fingerprintOf(candidate.text));
    });
}

const CANDIDATES = 50;

function realmOf(rows: LearningRows, scope: (typeof learningScopes)[number], task: number): string {
  if (scope === "project") return "project";
  if (scope === "task") return `task ${task}`;
  // A task that an agent proposed has no creation event here; what is learned on it is compared within that task.
  const feature = rows.taskFeatures.get(task)?.feature;
  return feature === undefined ? `task ${task}` : `feature ${feature}`;
}
