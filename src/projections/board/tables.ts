import { priorities, taskStatuses } from "../../events/types/fields.ts";
import { gateActions } from "../../events/types/gates.ts";
import { sessionExits, sessionStates } from "../../events/types/sessions.ts";
import { blockerKinds, suggestionKinds } from "../../events/types/signals.ts";
import type { RowsOf } from "../projection.ts";
import { defineTable, flag, integer, json, nullable, oneOf, type Row, text } from "../table.ts";

/** Everything that settlement writes. Times are `YYYY-MM-DD HH:MM:SS.ffffff`; ids of signals are their positions. */
export const tasks = defineTable("tasks", {
  columns: {
    id: integer,
    title: text,
    /** The title in lower case, by which blockers find it (rules.md, Settlement, step 10). */
    title_folded: text,
    /** Its first characters, by which titles are found that a text contains. */
    title_prefix: text,
    description: text,
    status: oneOf(taskStatuses),
    priority: oneOf(priorities),
    /** 0 for critical to 3 for low: the order of the next task. */
    priority_rank: integer,
    feature: text,
    discipline: text,
    origin: oneOf(["human", "agent"]),
    /** JSON array of ids, ascending. */
    depends_on: json,
    /** How many of them are neither done nor skipped; ready means pending and 0. */
    open_dependencies: integer,
    accept: oneOf(["auto", "human"]),
    /** JSON array of texts: what must be true of the work, for the agent to read. */
    criteria: json,
    /** JSON array of paths that the task names. */
    context_files: json,
    /** JSON array of words. */
    tags: json,
    /** JSON array of paths that the work is to make or change. */
    output_artifacts: json,
    hints: nullable(text),
    pseudocode: nullable(text),
    estimated_turns: nullable(integer),
    /** 1 if an agent wrote the task or changed words of it: a prompt then quotes them as an agent's. */
    agent_words: flag,
    /** 1 while a verified done waits for a human to accept it. */
    awaiting_acceptance: flag,
    stuck_count: integer,
    sessions: integer,
    inferred_stucks: integer,
    failed_gate_attempts: integer,
    partials_in_a_row: integer,
    unchanged_in_a_row: integer,
    /** The session that is open now. */
    open_session: nullable(text),
    /** The position at which its last session started; human acts before it can no longer be undone. */
    last_start: integer,
    /** 1 if its last session closed with a done that its gates did not bear out. */
    unverified_done: flag,
    /** What the last partial left, or the failure of the gate that made a done unverified. */
    remaining: nullable(text),
    /** The suggestion that it came from. */
    suggestion: nullable(integer),
    created: text,
    updated: text,
    completed_at: nullable(text),
  },
  key: ["id"],
  lookups: { by_title: ["title_prefix", "title_folded"] },
  indexes: {
    by_readiness: ["status", "open_dependencies", "priority_rank", "id"],
    by_feature: ["feature"],
    by_discipline: ["discipline"],
  },
});

/** An edge for each entry of `tasks.depends_on`, so that it can be walked both ways. */
const dependencies = defineTable("task_dependencies", {
  columns: {
    task_id: integer,
    depends_on: integer,
    /** 1 if someone declared it, 0 if only open blockers hold it. */
    declared: flag,
  },
  key: ["task_id", "depends_on"],
  lookups: { by_dependency: ["depends_on", "task_id"] },
});

/** One row, the highest id that was ever given: ids are never used again. */
const taskIds = defineTable("task_ids", {
  columns: { id: integer, last_id: integer },
  key: ["id"],
});

export const sessions = defineTable("sessions", {
  columns: {
    id: text,
    task_id: integer,
    /** 1 if a verb started it, as nobody else had. */
    implicit: flag,
    forced: flag,
    current_state: oneOf(sessionStates),
    /** How many states it has been in, the present one included. */
    states: integer,
    exit: nullable(oneOf(sessionExits)),
    /** Why it ended, as said by whoever ended it. */
    end_reason: nullable(text),
    closing: nullable(oneOf(["done", "partial", "stuck"])),
    /** 1 if `closing` is the stuck that nobody said. */
    inferred: flag,
    /** 1 if a done was not borne out by the gates. */
    unverified: flag,
    outcome: nullable(oneOf(["success", "partial", "failure", "timeout", "cancelled"])),
    irregular: integer,
    signals: integer,
    late: integer,
    /** The run of a driver that holds the claim; null where nobody watches the session. */
    driver: nullable(text),
    workspace_start: nullable(text),
    workspace_end: nullable(text),
    started_position: integer,
    ended_position: nullable(integer),
    started_at: text,
    completed_at: nullable(text),
    /** What its last closing signal said so far. */
    last_closing: nullable(oneOf(["done", "partial", "stuck"])),
    last_closing_position: nullable(integer),
    last_closing_text: nullable(text),
  },
  key: ["id"],
  indexes: {
    by_task: ["task_id", "started_position"],
    by_start: ["started_position"],
    by_end: ["completed_at"],
  },
});

export const sessionStateRows = defineTable("session_states", {
  columns: {
    session_id: text,
    /** 1, 2, 3, … within the session. */
    ordinal: integer,
    state: oneOf(sessionStates),
    irregular: flag,
    position: integer,
    /** ISO 8601. */
    entered_at: text,
    metadata: json,
  },
  key: ["session_id", "ordinal"],
  indexes: { by_position: ["position"] },
});

/** States of questions and blockers that a session settles (sims/README.md). */
export const questions = defineTable("questions", {
  columns: {
    id: integer,
    task_id: integer,
    session_id: text,
    question: text,
    /** Newline-separated, as in seed 000; a newline inside an option is a space. */
    options: nullable(text),
    preferred: nullable(text),
    blocking: flag,
    late: flag,
    state: oneOf(["raised", "open", "answered", "informational", "dismissed"]),
    /** The state that it would have without the human's act, where there was one. */
    state_without_act: nullable(oneOf(["raised", "open", "informational", "dismissed"])),
    answer: nullable(text),
    /** The position of the human's act. */
    acted_at: nullable(integer),
    created: text,
  },
  key: ["id"],
  lookups: {
    by_task: ["task_id", "state", "blocking"],
    by_task_without_act: ["task_id", "state_without_act"],
    by_session: ["session_id"],
  },
  indexes: { by_state: ["state", "id"] },
});

export const blockers = defineTable("blockers", {
  columns: {
    id: integer,
    task_id: integer,
    session_id: text,
    on: text,
    kind: oneOf(blockerKinds),
    detail: nullable(text),
    late: flag,
    state: oneOf(["raised", "open", "resolved", "informational", "dismissed"]),
    state_without_act: nullable(oneOf(["raised", "open", "resolved", "informational", "dismissed"])),
    /** The task that it was linked to or contests. */
    depends_on: nullable(integer),
    /** 1 if that task was done or skipped already; such a blocker is resolved for good. */
    contests: flag,
    acted_at: nullable(integer),
    created: text,
  },
  key: ["id"],
  lookups: {
    by_task: ["task_id", "state"],
    by_task_without_act: ["task_id", "state_without_act"],
    by_session: ["session_id"],
    by_dependency: ["depends_on", "state"],
  },
  indexes: { by_state: ["state", "id"] },
});

const suggestions = defineTable("suggestions", {
  columns: {
    id: integer,
    /** The task in whose session it was made. */
    task_id: integer,
    session_id: text,
    what: text,
    kind: oneOf(suggestionKinds),
    why: text,
    /** The feature as the agent named it. */
    feature: nullable(text),
    /** 1 if a feature was named that did not exist when it mattered. */
    unknown_feature: flag,
    late: flag,
    state: oneOf(["stored", "proposed", "approved", "rejected"]),
    /** The task that it became. */
    proposed_task: nullable(integer),
    /** 1 if a human's decision moved the draft, which had not gone on by force. */
    moved_draft: flag,
    acted_at: nullable(integer),
    created: text,
  },
  key: ["id"],
  lookups: { by_session: ["session_id"], by_proposed_task: ["proposed_task"] },
  indexes: { by_state: ["state", "id"] },
});

export const gates = defineTable("gates", {
  columns: {
    task_id: integer,
    /** 1 for the task's first. */
    gate: integer,
    command: text,
    max_attempts: integer,
    timeout_s: integer,
    state: oneOf(["pending", "passed", "failed", "escalated", "skipped", "aborted"]),
    /** Failed ones in a row. */
    attempts: integer,
    last_exit_code: nullable(integer),
    last_timed_out: nullable(flag),
    last_stdout: nullable(text),
    last_stderr: nullable(text),
    last_position: nullable(integer),
    last_action: nullable(oneOf(gateActions)),
  },
  key: ["task_id", "gate"],
  indexes: { by_state: ["state", "task_id", "gate"] },
});

export const policies = defineTable("policies", {
  columns: { name: text, value: integer, position: integer },
  key: ["name"],
});

/** Every change of a task's status, with the rule that made it and the events that the rule looked at. */
export const statusChanges = defineTable("status_changes", {
  columns: {
    position: integer,
    /** 1, 2, … where one event changed several tasks. */
    ordinal: integer,
    task_id: integer,
    from_status: nullable(oneOf(taskStatuses)),
    to_status: oneOf(taskStatuses),
    /** Where rules.md says so, e.g. `settlement 7b`. */
    rule: text,
    /** JSON array of positions, ascending. */
    causes: json,
    session_id: nullable(text),
    created: text,
  },
  key: ["position", "ordinal"],
  indexes: { by_task: ["task_id", "position", "ordinal"] },
});

/** How many tasks have each status, so that nobody has to count them. */
const taskCounts = defineTable("task_counts", {
  columns: { status: oneOf(taskStatuses), tasks: integer },
  key: ["status"],
});

/** Names of features, which suggestions may refer to (rules.md, Settlement, step 9). */
const featureNames = defineTable("feature_names", {
  columns: { name: text, position: integer },
  key: ["name"],
});

export const boardTables = {
  tasks,
  dependencies,
  taskIds,
  sessions,
  sessionStates: sessionStateRows,
  questions,
  blockers,
  suggestions,
  gates,
  policies,
  statusChanges,
  taskCounts,
  featureNames,
} as const;

export type Board = RowsOf<typeof boardTables>;
export type Task = Row<typeof tasks>;
export type Session = Row<typeof sessions>;
export type Question = Row<typeof questions>;
export type Blocker = Row<typeof blockers>;
export type Suggestion = Row<typeof suggestions>;
export type Gate = Row<typeof gates>;
export type StatusChange = Row<typeof statusChanges>;
