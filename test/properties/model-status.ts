import type { TaskStatus } from "../../src/events/types/fields.ts";
import {
  blockersOf,
  isOver,
  type ModelBoard,
  type ModelTask,
  questionsOf,
  stateOf,
  taskOf,
} from "./model-board.ts";
import { openBlockers, resolveLinksTo, takeBackLink } from "./model-links.ts";

/** Step 7, after `partial` and `stuck`. */
export function settledStatus(board: ModelBoard, task: ModelTask): TaskStatus {
  const failed = task.stuckCount >= board.stuckLimit || task.gates.some(({ state }) => state === "aborted"); // 7a
  return failed ? "failed" : waitingStatus(board, task);
}

/** Steps 7b to 7d. */
function waitingStatus(board: ModelBoard, task: ModelTask): TaskStatus {
  if (task.gates.some(({ state }) => state === "escalated")) return "needs_input"; // 7b
  if (questionsOf(board, task.id).some((question) => stateOf(question) === "open")) return "needs_input"; // 7b
  if (task.stalled) return "needs_input"; // 7b, by Stagnation
  if (openBlockers(board, task.id).length > 0) return "blocked"; // 7c
  return "pending"; // 7d
}

/** Below step 11: only while the task is needs_input or blocked, and not while a done waits to be accepted. */
export function evaluateAgain(board: ModelBoard, task: ModelTask): void {
  if (task.awaiting || (task.status !== "needs_input" && task.status !== "blocked")) return;
  setStatus(board, task, waitingStatus(board, task));
}

/** Undo: the status is re-evaluated, a pending one too, for the act may have made it so. */
export function evaluateAfterUndo(board: ModelBoard, task: ModelTask): void {
  if (task.status === "pending") setStatus(board, task, waitingStatus(board, task));
  else evaluateAgain(board, task);
}

/** Step 5, with `accept: human` from Humans, and Evidence: everything but the status is as after a done. */
export function finish(board: ModelBoard, task: ModelTask): void {
  markDone(board, task);
  task.awaiting = task.accept === "human" || task.asked;
  setStatus(board, task, task.awaiting ? "needs_input" : "done");
}

/**
 * Step 5: the stuck count returns to 0, open questions and blockers become informational; what is not open any more holds
 * no dependency (step 10).
 */
export function markDone(board: ModelBoard, task: ModelTask): void {
  task.stuckCount = 0;
  beginRowsAnew(task);
  // OPEN: an unverified done that was made good does not count a second time, when the task is taken up again by hand.
  task.unverified = false;
  const held = openBlockers(board, task.id);
  for (const thing of [...questionsOf(board, task.id), ...blockersOf(board, task.id)]) {
    if (thing.natural === "open") thing.natural = "informational";
  }
  for (const blocker of held) takeBackLink(board, blocker);
}

/** Stagnation: a done ends both rows, and an act of a human begins them anew. */
export function beginRowsAnew(task: ModelTask): void {
  Object.assign(task, { notOnInARow: 0, closedPartialInARow: 0, stalled: false });
}

/** A status, and what follows for others: blockers linked to a task that is over resolve by themselves. */
export function setStatus(board: ModelBoard, task: ModelTask, status: TaskStatus): void {
  task.status = status;
  if (!isOver(status)) return;
  for (const held of resolveLinksTo(board, task.id)) evaluateAgain(board, taskOf(board, held));
}
