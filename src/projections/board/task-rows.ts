import { type Priority, priorities } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { toSqlTime } from "../../lib/time.ts";
import { foldedTitle } from "./reference.ts";
import { FRESH_ROWS } from "./stalls.ts";
import { type Reason, recordStatusChange } from "./status.ts";
import type { Board, Task } from "./tables.ts";

type TaskFields = Pick<
  Task,
  | "id"
  | "title"
  | "description"
  | "status"
  | "priority"
  | "feature"
  | "discipline"
  | "origin"
  | "accept"
  | "agent_words"
> &
  Partial<PlanChange> & { suggestion: number | null };

/** The columns of a task's optional fields. */
type Plan = Pick<
  Task,
  "criteria" | "context_files" | "tags" | "output_artifacts" | "hints" | "estimated_turns"
>;
export type PlanChange = { [Name in keyof Plan]: Plan[Name] | undefined };

/** Adds a task to the board; the only place that inserts its row. */
export function addTask(board: Board, event: Event, fields: TaskFields, reason: Reason): void {
  const time = toSqlTime(event.recordedAt);
  const { title_folded, title_prefix } = foldedTitle(fields.title);
  // Column by column: spreading objects took longer than everything else together.
  board.tasks.insert({
    id: fields.id,
    title: fields.title,
    title_folded,
    title_prefix,
    description: fields.description,
    status: fields.status,
    status_since: event.position,
    priority: fields.priority,
    feature: fields.feature,
    discipline: fields.discipline,
    origin: fields.origin,
    accept: fields.accept,
    criteria: fields.criteria ?? "[]",
    context_files: fields.context_files ?? "[]",
    tags: fields.tags ?? "[]",
    output_artifacts: fields.output_artifacts ?? "[]",
    hints: fields.hints ?? null,
    estimated_turns: fields.estimated_turns ?? null,
    agent_words: fields.agent_words,
    suggestion: fields.suggestion,
    priority_rank: priorityRank(fields.priority),
    depends_on: "[]",
    open_dependencies: 0,
    unapproved_gates: 0,
    reopened_for_merge: 0,
    awaiting_acceptance: 0,
    stuck_count: 0,
    sessions: 0,
    inferred_stucks: 0,
    failed_gate_attempts: 0,
    partials_in_a_row: 0,
    unchanged_in_a_row: 0,
    cancelled_in_a_row: 0,
    held_at: 0,
    ...FRESH_ROWS,
    last_start: 0,
    unverified_done: 0,
    created: time,
    updated: time,
    completed_at: fields.status === "done" ? time : null,
  });
  claimId(board, fields.id);
  recordStatusChange(board, event, { taskId: fields.id, from: null, to: fields.status, reason });
}

export function nextTaskId(board: Board): number {
  return (board.taskIds.get(1)?.last_id ?? 0) + 1;
}

function claimId(board: Board, id: number): void {
  const row = board.taskIds.get(1);
  if (!row) board.taskIds.insert({ id: 1, last_id: id });
  else if (id > row.last_id) board.taskIds.update(1, { last_id: id });
}

export function priorityRank(priority: Priority): number {
  return priorities.indexOf(priority);
}
