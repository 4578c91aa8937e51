import { priorities, taskStatuses } from "../../events/types/fields.ts";
import { gateActions } from "../../events/types/gates.ts";
import { blockerKinds, suggestionKinds } from "../../events/types/signals.ts";
import type { IndexedRowsOf, RowsOf } from "../projection.ts";
import {
  defineTable,
  either,
  flag,
  integer,
  json,
  means,
  nullable,
  oneOf,
  type Row,
  text,
} from "../table.ts";
import { flagsTable } from "./flags.ts";
import { inboxCounts, inboxItems } from "./inbox-tables.ts";
import { landingsTable, mergesTable } from "./merge-tables.ts";
import { planFaultsTable, plans } from "./plan-tables.ts";
import { sessionStateRows, sessions, sessionTimes } from "./session-tables.ts";
import { failedSetups } from "./setup-tables.ts";
import { signalsTable } from "./signals-table.ts";
import { sessionFindings, sessionWork } from "./work-tables.ts";

/*
 * All tables of settlement. Times are `YYYY-MM-DD HH:MM:SS.ffffff`; ids of signals are their
 * positions.
 */

export const tasks = defineTable("tasks", {
  description:
    "One row for each task. A deleted task has no row here, in `task_dependencies` or in `gates`; " +
    "everything else that names it stays, as history.",
  columns: {
    id: integer,
    title: text,
    title_folded: means(text, "the title in lower case; blockers find the task by it"),
    title_prefix: means(text, "the first 16 characters of that"),
    description: text,
    status: oneOf(taskStatuses),
    status_since: means(integer, "the position of the event that gave it its status"),
    priority: oneOf(priorities),
    priority_rank: means(integer, "0 for critical to 3 for low, the order in which tasks are taken"),
    feature: means(text, "its name"),
    discipline: means(text, "its name"),
    origin: means(
      oneOf(["human", "agent"]),
      "agent if it was created from an agent's suggestion; for who wrote its text, see `agent_words`",
    ),
    depends_on: means(json, "array of the ids of tasks, ascending"),
    open_dependencies: means(
      integer,
      "how many of them are neither done nor skipped. A task is ready if it is `pending` and this, " +
        "`unapproved_gates` and `held_at` are 0",
    ),
    unapproved_gates: means(integer, "how many of its gates an agent declared and no human has decided on"),
    accept: means(oneOf(["auto", "human"]), "human: a verified done waits for acceptance"),
    criteria: means(json, "array of texts: acceptance criteria, for the prompt"),
    context_files: means(json, "array of paths that the agent should know, relative to the project"),
    tags: means(json, "array of words"),
    output_artifacts: means(json, "array of paths that the work should make or change"),
    hints: means(nullable(text), "hints for the agent that works on it"),
    pseudocode: means(nullable(text), "the pseudocode from `enrich_task`"),
    estimated_turns: means(nullable(integer), "of an agent"),
    agent_words: means(
      flag,
      "1 if an agent wrote or changed any of its text; prompts quote that as an agent's words",
    ),
    reopened_for_merge: means(
      flag,
      "1 from when a done task is reopened for its merge until it is done again or set by hand: no " +
        "task waits for it",
    ),
    awaiting_acceptance: means(flag, "1 while a verified done waits for a human to accept it"),
    stuck_count: means(integer, "stuck sessions since its last done or reset"),
    sessions: means(integer, "all its sessions"),
    inferred_stucks: means(integer, "all its sessions that ended without a closing verb"),
    failed_gate_attempts: means(integer, "ever"),
    partials_in_a_row: means(integer, "consecutive sessions whose outcome is partial"),
    cancelled_in_a_row: means(
      integer,
      "consecutive cancelled sessions, without those ended by a human, a signal, a usage limit, an " +
        "outage or the agent's setup",
    ),
    held_at: means(
      integer,
      "the position of the 3rd of these: the task does not start again until a human allows it; 0 if " +
        "it is not held",
    ),
    unchanged_in_a_row: means(
      integer,
      "consecutive sessions that left the workspace's fingerprint unchanged",
    ),
    no_progress_in_a_row: means(
      integer,
      "consecutive sessions that did not get on (docs/rules.md, No progress)",
    ),
    partial_closings_in_a_row: means(integer, "consecutive sessions whose closing verb is partial"),
    stalled_at: means(
      integer,
      "the position of the session's end at which one of these two reached its policy: a task that is `needs_input` waits for a human by that; 0 if " +
        "it has not, or that was decided",
    ),
    stalled_by: means(nullable(oneOf(["no_progress", "partials"])), "which of them; NULL if none"),
    open_session: means(nullable(text), "the session that runs now"),
    last_start: means(
      integer,
      "the position at which its last session started; 0 for none. Acts before it cannot be undone",
    ),
    unverified_done: means(
      flag,
      "1 if the last session closed with a done that its gates or what was found in its workspace did not confirm",
    ),
    remaining: means(
      nullable(text),
      "what the last partial left to do, the failure of the gate, what was found in the workspace, or the comment with which it was " +
        "sent back",
    ),
    suggestion: means(nullable(integer), "the suggestion that it was created from"),
    created: text,
    updated: text,
    completed_at: means(nullable(text), "when it became done; NULL if it is not done"),
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
  description: "One row for each entry of `tasks.depends_on`.",
  columns: {
    task_id: means(integer, "the task that waits"),
    depends_on: means(integer, "the task that it waits for"),
    declared: means(flag, "1 if it was declared, 0 if only open blockers hold it"),
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
  description: "The questions that `ask` put to a human.",
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
      "its state without the human's act, if there was one",
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
  description: "The blockers that `blocked` reported.",
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
      "its state without the human's act, if there was one",
    ),
    depends_on: means(nullable(integer), "the task that it is linked to or contests"),
    contests: means(flag, "1 if that task was already done or skipped"),
    circle_with: means(
      nullable(integer),
      "the task that it names but is not linked to: the link would have made a circular dependency",
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
  description: "The suggestions of `suggest`, and edits of issues that wait for a human.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: means(integer, "the task during which it was made; for an edit or a plan the task itself"),
    session_id: text,
    what: text,
    kind: means(
      oneOf([...suggestionKinds, "edit", "plan"]),
      "edit: `what` and `why` are new words of an issue; plan: a session without a task proposed it",
    ),
    why: text,
    feature: means(nullable(text), "as the agent named it"),
    unknown_feature: means(flag, "1 if it names a feature that did not exist"),
    late: means(flag, "1 if it came after its session's end: it is stored, nothing more"),
    state: means(
      oneOf(["stored", "proposed", "approved", "rejected"]),
      "proposed: a draft waits for a human",
    ),
    proposed_task: means(
      nullable(integer),
      "the task that was created from it, or that an edit would change",
    ),
    plan: means(nullable(integer), "the plan that it is of"),
    digest: means(nullable(text), "of a plan's draft: equal for the same words in the same feature"),
    confirmed: means(integer, "how often a later plan proposed the same"),
    acted_at: means(nullable(integer), "the position of the human's act"),
    acted_in: means(
      nullable(text),
      "the decision that acted, which several items acted on together have in common; NULL if it was sent without a key",
    ),
    created: text,
  },
  key: ["id"],
  lookups: {
    by_session: ["session_id"],
    by_proposed_task: ["proposed_task"],
    by_plan: ["plan", "state"],
    by_digest: ["digest"],
  },
  indexes: { by_state: ["state", "id"], by_act: ["acted_at"] },
});

export const gateStates = ["pending", "passed", "failed", "escalated", "skipped", "aborted"] as const;
export const gateApprovals = ["unneeded", "waiting", "approved", "rejected"] as const;

export const gates = defineTable("gates", {
  description: "The gates of tasks.",
  columns: {
    task_id: integer,
    gate: means(integer, "1 for the task's first"),
    command: text,
    max_attempts: integer,
    timeout_s: integer,
    state: oneOf(gateStates),
    attempts: means(integer, "consecutive failures"),
    declared: means(integer, "the position of the event that declared it"),
    approval: means(
      oneOf(gateApprovals),
      "waiting: an agent declared it, and it does not run until a human approves it; rejected: it is " +
        "skipped",
    ),
    approval_position: means(nullable(integer), "of the human's decision on it"),
    last_started: means(nullable(integer), "the position at which the last attempt began"),
    last_exit_code: means(nullable(integer), "of the last attempt; NULL also if a signal ended it"),
    last_signal: means(nullable(text), "the signal that ended the last attempt, such as SIGKILL"),
    last_timed_out: means(nullable(flag), "of the last attempt"),
    last_interrupted: means(nullable(flag), "of the last attempt: 1 if it was cancelled or its runner died"),
    last_explanation: means(nullable(text), "explains the end of the last attempt, if that is not obvious"),
    last_stdout: means(nullable(text), "of the last attempt, head and tail"),
    last_stderr: means(nullable(text), "of the last attempt, head and tail"),
    last_workspace: means(
      nullable(text),
      "the fingerprint of the workspace's files at the last attempt: a pass counts for these files",
    ),
    left_workspace: means(
      nullable(text),
      "the same after the last attempt: what a gate changes itself does not count against its pass",
    ),
    last_position: means(nullable(integer), "of the last attempt or act"),
    before: means(
      nullable(oneOf(["passed", "failed"])),
      "how it ended on the base of the task's work; NULL: it did not run there, or that says nothing",
    ),
    before_position: means(nullable(integer), "of that run"),
    without: means(
      nullable(oneOf(["passed", "failed"])),
      "how it ended on the files of its last pass without the task's work; NULL: it did not run so",
    ),
    without_files: means(nullable(json), "the `files` whose changes were missing then, and how many `more`"),
    without_position: means(nullable(integer), "of that run"),
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
  description:
    "The policies that were set; one that was never set has no row, and its default, as `signalbox policy list` says.",
  columns: {
    name: text,
    value: means(either, "a number, 1 or 0 for true or false, or a word"),
    position: means(integer, "of the event that set it"),
  },
  key: ["name"],
});

export const statusChanges = defineTable("status_changes", {
  description: "Every change of a task's status, and its reason.",
  columns: {
    position: means(integer, "the event that changed it"),
    ordinal: means(integer, "1, 2, … where one event changed several tasks"),
    task_id: integer,
    from_status: means(nullable(oneOf(taskStatuses)), "NULL when the task was added"),
    to_status: oneOf(taskStatuses),
    rule: means(text, "the rule that made the change"),
    causes: means(json, "array of the positions that the rule looked at, including its own, ascending"),
    session_id: means(nullable(text), "the session that ended"),
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

/** Names of features, for suggestions that refer to one (docs/rules.md, Settlement, step 9). */
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
  failedSetups,
  sessionWork,
  sessionFindings,
  plans,
  planFaults: planFaultsTable,
  inboxItems,
  inboxCounts,
} as const;

export type Board = RowsOf<typeof boardTables>;
/** The same for readers. */
export type IndexedBoard = IndexedRowsOf<typeof boardTables>;
export type Task = Row<typeof tasks>;
export type Session = Row<typeof sessions>;
/** A session on a task. */
export type TaskSession = Session & { readonly task_id: number };
export type Question = Row<typeof questions>;
export type Blocker = Row<typeof blockers>;
export type Suggestion = Row<typeof suggestions>;
export type Gate = Row<typeof gates>;
export type Plan = Row<typeof plans>;
export type SessionFinding = Row<typeof sessionFindings>;
export type Flag = Row<typeof flagsTable>;
export type StatusChange = Row<typeof statusChanges>;
