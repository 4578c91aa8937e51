import { toSqlTime } from "../../events/time.ts";
import type { Event } from "../../events/types/index.ts";
import { closeBlocker } from "./blockers.ts";
import { declareDependencies } from "./dependencies.ts";
import { decideProposal } from "./proposals.ts";
import { closeQuestion } from "./questions.ts";
import { foldedTitle } from "./reference.ts";
import { markDone } from "./settlement.ts";
import { changeStatus } from "./status.ts";
import type { Board } from "./tables.ts";
import { addTask, priorityRank } from "./task-rows.ts";

export function createTask(board: Board, event: Event<"task.created">): void {
  const { task: id, gates, depends_on, criteria = [], context_files = [], ...fields } = event.payload;
  if (board.tasks.get(id)) return;
  const lists = { criteria: JSON.stringify(criteria), context_files: JSON.stringify(context_files) };
  addTask(board, event, { id, ...fields, ...lists, origin: "human", suggestion: null }, { rule: "created" });
  if (depends_on.length > 0) declareDependencies(board, id, depends_on);
  for (const [index, gate] of gates.entries()) {
    board.gates.insert({
      task_id: id,
      gate: index + 1,
      command: gate.command,
      max_attempts: gate.max,
      timeout_s: gate.timeout_s,
      state: "pending",
      attempts: 0,
    });
  }
}

export function changeTask(board: Board, event: Event<"task.changed">): void {
  const { task: id, depends_on, criteria, context_files, ...fields } = event.payload;
  board.tasks.update(id, {
    ...fields,
    criteria: criteria && JSON.stringify(criteria),
    context_files: context_files && JSON.stringify(context_files),
    ...(fields.title !== undefined && foldedTitle(fields.title)),
    ...(fields.priority !== undefined && { priority_rank: priorityRank(fields.priority) }),
    updated: toSqlTime(event.recordedAt),
  });
  if (depends_on) declareDependencies(board, id, depends_on);
}

/** A human sets any status by hand (rules.md, Humans). */
export function setStatus(board: Board, event: Event<"task.status_set">): void {
  const { task: id, status } = event.payload;
  const task = board.tasks.get(id);
  if (!task || task.open_session !== null) return;
  if (task.status === "draft" && status !== "draft" && task.suggestion !== null) {
    decideProposal(board, event, task.suggestion, status === "skipped" ? "rejected" : "approved");
  }
  board.tasks.update(id, { awaiting_acceptance: 0 });
  if (status === "pending" || status === "skipped") startAfresh(board, event, id);
  if (status === "done") markDone(board, id);
  changeStatus(board, event, id, status, { rule: "humans: set a status" });
}

/** To pending or skipped by hand: nothing of the past holds the task up any more. */
function startAfresh(board: Board, event: Event, id: number): void {
  board.tasks.update(id, { stuck_count: 0 });
  // What a human acted on before would be dismissed now without that act.
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
  for (const gate of board.gates.where(
    { task_id: id },
    ({ state }) => state === "escalated" || state === "aborted",
  )) {
    board.gates.update([id, gate.gate], { state: "pending", attempts: 0 });
  }
}
