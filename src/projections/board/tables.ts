import { priorities, taskStatuses } from "../../events/types/fields.ts";
import { gateActions } from "../../events/types/gates.ts";
import { blockerKinds, suggestionKinds } from "../../events/types/signals.ts";
import type { RowsOf } from "../projection.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, type Row, text } from "../table.ts";
import { flagsTable } from "./flags.ts";
import { inboxCounts, inboxItems } from "./inbox-tables.ts";
import { landingsTable, mergesTable } from "./merge-tables.ts";
import { sessionStateRows, sessions, sessionTimes } from "./session-tables.ts";
import { signalsTable } from "./signals-table.ts";

/*
 * All tables of settlement. Times are `YYYY-MM-DD HH:MM:SS.ffffff`; ids of signals are their
 * positions.
 */

export const tasks = defineTable("tasks", {
  description:
    "One row for each task. One that was deleted has no row here, nor in `task_dependencies` and `gates`; all else that names it stays, as history.",
  columns: {
    id: integer,
    title: text,
    title_folded: means(text, "the title in lower case, by which blockers find it"),
    title_prefix: means(text, "the first 16 characters of that"),
    description: text,
    status: oneOf(taskStatuses),
    status_since: means(integer, "the position of the event that gave it its status"),
    priority: oneOf(priorities),
    priority_rank: means(integer, "0 for critical to 3 for low: the order of the next task"),
    feature: means(text, "its name"),
    discipline: means(text, "its name"),
    origin: means(
      oneOf(["human", "agent"]),
      "agent for what a suggestion became, and only for that: whose its words are, `agent_words` tells",
    ),
    depends_on: means(json, "array of the ids of tasks, ascending"),
    open_dependencies: means(
      integer,
      "how many of them are neither done nor skipped. Ready means `pending`, and 0 here, in `unapproved_gates` and in `held_at`",
    ),
    unapproved_gates: means(integer, "how many of its gates an agent declared and no human decided on"),
    accept: means(oneOf(["auto", "human"]), "human: a verified done waits to be accepted"),
    criteria: means(json, "array of texts: what must be true of the work, for the prompt"),
    context_files: means(json, "array of paths that the agent should know, relative to the project"),
    tags: means(json, "array of words"),
    output_artifacts: means(json, "array of paths that the work is to make or change"),
    hints: means(nullable(text), "what may help whoever works on it"),
    pseudocode: means(nullable(text), "what `enrich_task` gave it"),
    estimated_turns: means(nullable(integer), "of an agent"),
    agent_words: means(
      flag,
      "1 if an agent wrote it or changed words of it; a prompt quotes them as an agent's",
    ),
    reopened_for_merge: means(
      flag,
      "1 from when a done task was taken up again for its merge until it is done again or set by hand: it holds up nobody",
    ),
    awaiting_acceptance: means(flag, "1 while a verified done waits for a human to accept it"),
    stuck_count: means(integer, "stuck sessions since the last done or reset"),
    sessions: means(integer, "sessions ever"),
    inferred_stucks: means(integer, "sessions ever that ended without a closing verb"),
    failed_gate_attempts: means(integer, "ever"),
    partials_in_a_row: means(integer, "sessions in a row whose outcome is partial"),
    cancelled_in_a_row: means(
      integer,
      "cancelled sessions in a row, without those that a human, a signal, a usage limit, an outage or the agent's setup ended",
    ),
    held_at: means(
      integer,
      "the position at which there were 3 of them: it is not started again by itself until a human lets it; 0 where it can be",
    ),
    unchanged_in_a_row: means(integer, "sessions in a row that left the workspace's fingerprint as it was"),
    open_session: means(nullable(text), "the session that runs now"),
    last_start: means(
      integer,
      "the position at which its last session started; 0 for none. Acts before it cannot be undone",
    ),
    unverified_done: means(flag, "1 if the last session closed with a done that its gates did not bear out"),
    remaining: means(
      nullable(text),
      "what the last partial left, the failure of the gate, or the comment of whoever sent it back",
    ),
    suggestion: means(nullable(integer), "the suggestion that it came from"),
    created: text,
    updated: text,
    completed_at: means(nullable(text), "when it became done, while it is"),
  },
  key: ["id"],
  lookups: { by_title: ["title_prefix", "title_folded"] },
  indexes: {
    // In the order in which tasks start; covers every column that a board filters and counts by, so
    // that no wide row is read.
    by_readiness: [
      "status",
      "open_dependencies",
      "unapproved_gates",
      "held_at",
      "priority_rank",
      "id",
      "feature",
      "discipline",
      "title_folded",
      "stuck_count",
    ],
    by_end: ["status", "completed_at", "updated", "last_start"],
    by_feature: ["feature"],
    by_discipline: ["discipline"],
  },
});

const dependencies = defineTable("task_dependencies", {
  description: "An edge for each entry of `tasks.depends_on`.",
  columns: {
    task_id: means(integer, "the task that waits"),
    depends_on: means(integer, "the task that it waits for"),
    declared: means(flag, "1 if someone declared it, 0 if only open blockers hold it"),
  },
  key: ["task_id", "depends_on"],
  lookups: { by_dependency: ["depends_on", "task_id"] },
});

/** Deleted tasks: a chart of statuses leaves them out of every day. */
const deletedTasks = defineTable("deleted_tasks", {
  columns: { task_id: integer, position: means(integer, "of its deletion") },
  key: ["task_id"],
});

/** One row, the highest task id ever given: ids are never reused. */
const taskIds = defineTable("task_ids", {
  columns: { id: integer, last_id: integer },
  key: ["id"],
});

export const questions = defineTable("questions", {
  description: "What `ask` put to a human.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: integer,
    session_id: text,
    question: text,
    options: means(nullable(text), "one to a line; a newline inside an option is a space"),
    preferred: nullable(text),
    blocking: flag,
    late: means(flag, "1 if it came after its session's end: it opens nothing"),
    state: means(
      oneOf(["raised", "open", "answered", "informational", "dismissed"]),
      "raised: its session runs; open: it holds the task",
    ),
    state_without_act: means(
      nullable(oneOf(["raised", "open", "informational", "dismissed"])),
      "the state that it would have without the human's act, where there was one",
    ),
    answer: nullable(text),
    acted_at: means(nullable(integer), "the position of the human's act"),
    created: text,
  },
  key: ["id"],
  lookups: {
    by_task: ["task_id", "state", "blocking"],
    by_task_without_act: ["task_id", "state_without_act"],
    by_session: ["session_id"],
  },
  indexes: { by_state: ["state", "id"], by_act: ["acted_at"] },
});

export const blockers = defineTable("blockers", {
  description: "What `blocked` says is missing.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: integer,
    session_id: text,
    on: means(text, 'an SQL keyword: write `"on"`'),
    kind: oneOf(blockerKinds),
    detail: nullable(text),
    late: means(flag, "1 if it came after its session's end: it opens nothing"),
    state: means(
      oneOf(["raised", "open", "resolved", "informational", "dismissed"]),
      "raised: its session runs; open: it holds the task",
    ),
    state_without_act: means(
      nullable(oneOf(["raised", "open", "resolved", "informational", "dismissed"])),
      "the state that it would have without the human's act, where there was one",
    ),
    depends_on: means(nullable(integer), "the task that it was linked to or contests"),
    contests: means(flag, "1 if that task was done or skipped already"),
    circle_with: means(
      nullable(integer),
      "the task that it names, to which it is not linked: the link would have closed a circle of dependencies",
    ),
    acted_at: means(nullable(integer), "the position of the human's act"),
    created: text,
  },
  key: ["id"],
  lookups: {
    by_task: ["task_id", "state"],
    by_task_without_act: ["task_id", "state_without_act"],
    by_session: ["session_id"],
    by_dependency: ["depends_on", "state"],
  },
  indexes: { by_state: ["state", "id"], by_act: ["acted_at"] },
});

const suggestions = defineTable("suggestions", {
  description: "What `suggest` recommends.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: means(integer, "in whose course it was made"),
    session_id: text,
    what: text,
    kind: oneOf(suggestionKinds),
    why: text,
    feature: means(nullable(text), "as the agent named it"),
    unknown_feature: means(flag, "1 if a feature was named that did not exist"),
    late: means(flag, "1 if it came after its session's end: it is only stored"),
    state: means(
      oneOf(["stored", "proposed", "approved", "rejected"]),
      "proposed: a draft waits for a human",
    ),
    proposed_task: means(nullable(integer), "the task that it became"),
    acted_at: means(nullable(integer), "the position of the human's act"),
    created: text,
  },
  key: ["id"],
  lookups: { by_session: ["session_id"], by_proposed_task: ["proposed_task"] },
  indexes: { by_state: ["state", "id"], by_act: ["acted_at"] },
});

export const gateStates = ["pending", "passed", "failed", "escalated", "skipped", "aborted"] as const;
export const gateApprovals = ["unneeded", "waiting", "approved", "rejected"] as const;

export const gates = defineTable("gates", {
  description: "The verify gates of tasks.",
  columns: {
    task_id: integer,
    gate: means(integer, "1 for the task's first"),
    command: text,
    max_attempts: integer,
    timeout_s: integer,
    state: oneOf(gateStates),
    attempts: means(integer, "failed ones in a row"),
    declared: means(integer, "the position of the event that declared it"),
    approval: means(
      oneOf(gateApprovals),
      "waiting: an agent declared it, and it is not run until a human approves it; rejected: it is skipped",
    ),
    approval_position: means(nullable(integer), "of the human's decision on it"),
    last_started: means(nullable(integer), "the position at which the last attempt began"),
    last_exit_code: means(nullable(integer), "of the last attempt; NULL too where a signal ended it"),
    last_signal: means(nullable(text), "that ended the last attempt, such as SIGKILL"),
    last_timed_out: means(nullable(flag), "of the last attempt"),
    last_interrupted: means(nullable(flag), "of the last attempt: 1 if it was given up or its runner died"),
    last_explanation: means(
      nullable(text),
      "what the end of the last attempt means, where that is not plain",
    ),
    last_stdout: means(nullable(text), "of the last attempt, head and tail"),
    last_stderr: means(nullable(text), "of the last attempt, head and tail"),
    last_workspace: means(
      nullable(text),
      "the fingerprint of the workspace's files that the last attempt was run on: a pass counts for these",
    ),
    last_position: means(nullable(integer), "of the last attempt or act"),
    last_action: nullable(oneOf(gateActions)),
  },
  key: ["task_id", "gate"],
  indexes: {
    by_state: ["state", "task_id", "gate"],
    by_approval: ["approval", "declared", "gate"],
    by_act: ["approval_position"],
  },
});

export const policies = defineTable("policies", {
  description: "The policies that were set; one that never was is not here, and `stuck_limit` is 3 then.",
  columns: {
    name: text,
    value: integer,
    position: means(integer, "of the event that set it"),
  },
  key: ["name"],
});

export const statusChanges = defineTable("status_changes", {
  description: "Every change of a task's status, and why.",
  columns: {
    position: means(integer, "the event that changed it"),
    ordinal: means(integer, "1, 2, … where one event changed several tasks"),
    task_id: integer,
    from_status: means(nullable(oneOf(taskStatuses)), "NULL when the task was added"),
    to_status: oneOf(taskStatuses),
    rule: means(text, "the rule that made the change, e.g. `settlement 7b`"),
    causes: means(json, "array of the positions that the rule looked at, its own included, ascending"),
    session_id: means(nullable(text), "the session whose end it was"),
    created: text,
  },
  key: ["position", "ordinal"],
  indexes: { by_task: ["task_id", "position", "ordinal"] },
});

/** Task counts by status, kept so that readers need not count. */
const taskCounts = defineTable("task_counts", {
  columns: { status: oneOf(taskStatuses), tasks: integer },
  key: ["status"],
});

/**
 * Snapshots of those counts: after all events up to `position`, a multiple of 1,000, if a status
 * changed in the 1,000 positions after it. The counts at any time are the snapshot before it plus
 * the few changes since.
 */
const statusPoints = defineTable("status_points", {
  columns: {
    position: integer,
    draft: integer,
    pending: integer,
    in_progress: integer,
    needs_input: integer,
    blocked: integer,
    done: integer,
    skipped: integer,
    failed: integer,
  },
  key: ["position"],
});

/** Names of features, for suggestions that refer to one (rules.md, Settlement, step 9). */
const featureNames = defineTable("feature_names", {
  columns: { name: text, position: integer },
  key: ["name"],
});

/** Names of disciplines: signals store the id of their task's discipline. */
const disciplineNames = defineTable("discipline_names", {
  columns: { name: text, position: integer },
  key: ["name"],
});

/** Events about a task or session that are in none of its streams (subjects.ts). */
const subjectEvents = defineTable("subject_events", {
  columns: { subject: means(text, "the stream that has the others"), position: integer },
  key: ["subject", "position"],
});

export const boardTables = {
  tasks,
  dependencies,
  taskIds,
  deletedTasks,
  sessions,
  sessionTimes,
  sessionStates: sessionStateRows,
  signals: signalsTable,
  questions,
  blockers,
  suggestions,
  gates,
  policies,
  statusChanges,
  taskCounts,
  statusPoints,
  featureNames,
  disciplineNames,
  subjectEvents,
  flags: flagsTable,
  merges: mergesTable,
  landings: landingsTable,
  inboxItems,
  inboxCounts,
} as const;

export type Board = RowsOf<typeof boardTables>;
export type Task = Row<typeof tasks>;
export type Session = Row<typeof sessions>;
export type Question = Row<typeof questions>;
export type Blocker = Row<typeof blockers>;
export type Suggestion = Row<typeof suggestions>;
export type Gate = Row<typeof gates>;
export type Flag = Row<typeof flagsTable>;
export type StatusChange = Row<typeof statusChanges>;
