import type { Event } from "../../events/types/index.ts";
import { closeBlocker, reopenBlocker } from "./blockers.ts";
import { decideProposal, moveDecidedDraft } from "./proposals.ts";
import { closeQuestion } from "./questions.ts";
import { FRESH_ROWS } from "./stalls.ts";
import { changeStatus, reevaluate } from "./status.ts";
import type { Board } from "./tables.ts";

/**
 * The effects of human acts (docs/rules.md, Humans). An act on something that has changed meanwhile
 * has no effect.
 */
export function actOnQuestion(
  board: Board,
  event: Event<"question.answered" | "question.dismissed">,
  close: { state: "answered" | "dismissed"; answer: string | null },
): void {
  const question = board.questions.get(event.payload.question);
  if (!question) return;
  closeQuestion(board, event, question, close);
  if (question.state === "open") reevaluate(board, event, question.task_id);
}

export function reopenQuestion(board: Board, event: Event<"question.reopened">): void {
  const question = board.questions.get(event.payload.question);
  if (!question || question.state_without_act === null) return;
  board.questions.update(question.id, {
    state: question.state_without_act,
    state_without_act: null,
    answer: null,
    acted_at: null,
  });
  reevaluateAfterUndo(board, event, question.task_id);
}

export function actOnBlocker(
  board: Board,
  event: Event<"blocker.resolved" | "blocker.dismissed">,
  state: "resolved" | "dismissed",
): void {
  const blocker = board.blockers.get(event.payload.blocker);
  if (!blocker) return;
  closeBlocker(board, event, blocker, state);
  if (blocker.state === "open") reevaluate(board, event, blocker.task_id);
}

export function undoBlocker(board: Board, event: Event<"blocker.reopened">): void {
  const blocker = board.blockers.get(event.payload.blocker);
  if (!blocker) return;
  reopenBlocker(board, blocker);
  reevaluateAfterUndo(board, event, blocker.task_id);
}

export function decideSuggestion(
  board: Board,
  event: Event<"suggestion.approved" | "suggestion.rejected">,
  state: "approved" | "rejected",
): void {
  const { suggestion, task } = event.payload;
  const before = board.suggestions.get(suggestion);
  if (before?.state !== "proposed") return;
  decideProposal(board, event, suggestion, state);
  if (before.kind !== "edit") moveDecidedDraft(board, event, task, state);
}

/** A human has seen a flag: it leaves the inbox. Neither this nor its undoing settles anything. */
export function acknowledgeFlag(
  board: Board,
  { payload, position, actor, causation }: Event<"flag.acknowledged">,
): void {
  const flag = board.flags.get(payload.flag);
  if (flag?.acted_at === null)
    board.flags.update(flag.id, { acted_at: position, acted_in: causation ?? null, acted_by: actor });
}

export function reopenFlag(board: Board, { payload }: Event<"flag.reopened">): void {
  if (board.flags.get(payload.flag))
    board.flags.update(payload.flag, { acted_at: null, acted_in: null, acted_by: null });
}

export function acceptTask(board: Board, event: Event<"task.accepted">): void {
  const { task } = event.payload;
  if (!board.tasks.get(task)?.awaiting_acceptance) return;
  board.tasks.update(task, { awaiting_acceptance: 0 });
  changeStatus(board, event, task, "done", { rule: "humans: accept" });
}

export function sendBackTask(board: Board, event: Event<"task.sent_back">): void {
  const { task, comment } = event.payload;
  if (!board.tasks.get(task)?.awaiting_acceptance) return;
  board.tasks.update(task, { awaiting_acceptance: 0, remaining: comment });
  changeStatus(board, event, task, "pending", { rule: "humans: send back" });
}

/** The rows of sessions that did not get on begin anew (docs/rules.md, No progress). */
export function continueTask(board: Board, event: Event<"task.continued">): void {
  const { task: id } = event.payload;
  if (!board.tasks.get(id)) return;
  board.tasks.update(id, FRESH_ROWS);
  reevaluate(board, event, id);
}

/** Reopens a done task, so that an agent merges its work with the base (docs/rules.md, Merges). */
export function reopenForMerge(board: Board, event: Event<"merge.reopened">): void {
  const { task: id } = event.payload;
  const task = board.tasks.get(id);
  if (task?.status !== "done" || task.open_session !== null) return;
  board.tasks.update(id, { reopened_for_merge: 1 });
  changeStatus(board, event, id, "pending", { rule: "merges: reopen" });
}

/**
 * An answer or a resolution may have made the task pending; after undoing it the task may have to
 * wait again.
 */
function reevaluateAfterUndo(board: Board, event: Event, taskId: number): void {
  reevaluate(board, event, taskId, { whileIn: ["pending", "needs_input", "blocked"] });
}
