import { AGENT } from "../../events/actors.ts";
import type { Event, PayloadOf } from "../../events/types/index.ts";
import { toSqlTime } from "../../lib/time.ts";
import { toFlag } from "../table.ts";
import { closeBlocker } from "./blockers.ts";
import { declareDependencies, refreshDependents } from "./dependencies.ts";
import { declareGate } from "./gates.ts";
import { decideByStatus, decideProposal, isUndecidedProposal, proposeInPlan } from "./proposals.ts";
import { closeQuestion } from "./questions.ts";
import { foldedTitle } from "./reference.ts";
import { markDone } from "./settlement.ts";
import { FRESH_ROWS, NOT_STALLED } from "./stalls.ts";
import { changeStatus, leaveCount } from "./status.ts";
import type { Board } from "./tables.ts";
import { addTask, type PlanChange, priorityRank } from "./task-rows.ts";

export function createTask(board: Board, event: Event<"task.created">): void {
  const { task: id, title, description, feature, discipline, priority, status, accept } = event.payload;
  if (board.tasks.get(id)) return;
  const fields = { id, title, description, feature, discipline, priority, status, accept };
  const agent_words = toFlag(event.actor === AGENT);
  const plan = planOf(event.payload);
  const { plan: of } = event.payload;
  const proposed =
    of === undefined
      ? { origin: "human" as const, suggestion: null }
      : { origin: "agent" as const, suggestion: proposeInPlan(board, event, of), status: "draft" as const };
  addTask(board, event, { ...fields, ...plan, agent_words, ...proposed }, { rule: "created" });
  const { gates, depends_on } = event.payload;
  if (depends_on.length > 0) declareDependencies(board, id, depends_on);
  for (const [index, gate] of gates.entries())
    declareGate(board, event, { task: id, gate: index + 1, ...gate });
}

export function changeTask(board: Board, event: Event<"task.changed">): void {
  const { task: id, title, description, feature, discipline, priority, accept, depends_on } = event.payload;
  board.tasks.update(id, {
    ...{ title, description, feature, discipline, priority, accept },
    ...planOf(event.payload),
    ...(title !== undefined && foldedTitle(title)),
    ...(priority !== undefined && { priority_rank: priorityRank(priority) }),
    ...(event.actor === AGENT && saysSomething(event.payload) && { agent_words: 1 }),
    updated: toSqlTime(event.recordedAt),
  });
  if (depends_on) declareDependencies(board, id, depends_on);
}

/**
 * Pseudocode makes a draft pending, except a proposal: that waits for a human (docs/rules.md, What
 * an agent may do to a status).
 */
export function enrichTask(board: Board, event: Event<"task.enriched">): void {
  const { task: id, pseudocode } = event.payload;
  const task = board.tasks.get(id);
  if (!task) return;
  board.tasks.update(id, {
    pseudocode,
    ...planOf(event.payload),
    ...(event.actor === AGENT && { agent_words: 1 }),
    updated: toSqlTime(event.recordedAt),
  });
  if (task.status === "draft" && !isUndecidedProposal(board, task)) {
    changeStatus(board, event, id, "pending", { rule: "enriched" });
  }
}

/**
 * Removes a task and the rows that only it uses; sessions, signals and what they raised stay as
 * history.
 */
export function deleteTask(board: Board, event: Event<"task.deleted">): void {
  const { task: id } = event.payload;
  const task = board.tasks.get(id);
  if (!task || task.open_session !== null) return;
  if (task.suggestion !== null) decideProposal(board, event, task.suggestion, "rejected");
  dismissWhatIsOpen(board, event, id);
  for (const { depends_on } of board.dependencies.where({ task_id: id })) {
    board.dependencies.delete(id, depends_on);
  }
  for (const { gate } of board.gates.where({ task_id: id })) board.gates.delete(id, gate);
  leaveCount(board, event, task.status);
  board.tasks.delete(id);
  board.deletedTasks.delete(id);
  board.deletedTasks.insert({ task_id: id, position: event.position });
}

/** A human sets any status manually (docs/rules.md, Humans). */
export function setStatus(board: Board, event: Event<"task.status_set">): void {
  const { task: id, status } = event.payload;
  const task = board.tasks.get(id);
  if (!task || task.open_session !== null) return;
  decideByStatus(board, event, task, status);
  board.tasks.update(id, {
    awaiting_acceptance: 0,
    cancelled_in_a_row: 0,
    held_at: 0,
    reopened_for_merge: 0,
    // Only an act of a human begins the rows anew.
    ...(event.actor === AGENT ? NOT_STALLED : FRESH_ROWS),
  });
  if (task.reopened_for_merge) refreshDependents(board, id);
  if (status === "pending" || status === "skipped") startAfresh(board, event, id);
  if (status === "done") markDone(board, id);
  changeStatus(board, event, id, status, { rule: "humans: set a status" });
}

/** Set to pending or skipped manually: nothing from the past blocks the task any more. */
function startAfresh(board: Board, event: Event, id: number): void {
  board.tasks.update(id, { stuck_count: 0 });
  dismissWhatIsOpen(board, event, id);
  for (const gate of board.gates.where(
    { task_id: id },
    ({ state }) => state === "escalated" || state === "aborted",
  )) {
    board.gates.update([id, gate.gate], { state: "pending", attempts: 0 });
  }
}

function dismissWhatIsOpen(board: Board, event: Event, id: number): void {
  // A question or blocker under a human's act: undoing the act later must find it dismissed.
  for (const table of [board.questions, board.blockers] as const) {
    for (const row of table.where({ task_id: id, state_without_act: "open" })) {
      table.update(row.id, { state_without_act: "dismissed" });
    }
  }
  for (const question of board.questions.where({ task_id: id, state: "open" })) {
    closeQuestion(board, event, question, { state: "dismissed", answer: null });
  }
  for (const blocker of board.blockers.where({ task_id: id, state: "open" })) {
    closeBlocker(board, event, blocker, "dismissed");
  }
}

/** The columns of the payload's optional fields; absent fields stay unchanged. */
function planOf(payload: Pick<PayloadOf<"task.changed">, keyof PlanChange>): PlanChange {
  const { criteria, context_files, tags, output_artifacts, hints, estimated_turns } = payload;
  const list = (values: readonly string[] | undefined) => values && JSON.stringify(values);
  return {
    criteria: list(criteria),
    context_files: list(context_files),
    tags: list(tags),
    output_artifacts: list(output_artifacts),
    hints,
    estimated_turns,
  };
}

/** Texts that a prompt quotes. */
function saysSomething({ title, description, ...plan }: PayloadOf<"task.changed">): boolean {
  const { criteria, context_files, tags, output_artifacts, hints } = plan;
  return [title, description, criteria, context_files, tags, output_artifacts, hints].some(
    (words) => words !== undefined,
  );
}
