import type { TaskStatus } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { toSqlTime } from "../../lib/time.ts";
import { outsideToAsk } from "./artifacts.ts";
import { wouldContest } from "./blockers.ts";
import { isSettled, refreshDependents } from "./dependencies.ts";
import { findingsOfLast, ledTo } from "./evidence.ts";
import { unprovenToAsk } from "./proven.ts";
import { stallCauses } from "./stalls.ts";
import type { StatusRule } from "./status-rules.ts";
import type { Blocker, Board, Task } from "./tables.ts";

/**
 * Why a status changed: the name of the rule, and the positions of the events that it evaluated.
 */
export interface Reason {
  readonly rule: StatusRule;
  readonly causes?: readonly number[];
  readonly session?: string;
}

/**
 * Whether a task can start now: no open dependency (docs/rules.md, Task statuses), no gate waiting
 * for approval, and no hold after cancelled sessions.
 */
export function isReady(
  task: Pick<Task, "status" | "open_dependencies" | "unapproved_gates" | "held_at">,
): boolean {
  const { status, open_dependencies, unapproved_gates, held_at } = task;
  return status === "pending" && open_dependencies === 0 && unapproved_gates === 0 && held_at === 0;
}

/**
 * The only place where a task's status changes; records the change and updates the tasks that
 * depend on it.
 */
export function changeStatus(
  board: Board,
  event: Event,
  taskId: number,
  to: TaskStatus,
  reason: Reason,
): void {
  const task = board.tasks.get(taskId);
  if (!task || task.status === to) return;
  const time = toSqlTime(event.recordedAt);
  const { reopened_for_merge: reopened } = task;
  board.tasks.update(taskId, {
    status: to,
    status_since: event.position,
    updated: time,
    completed_at: to === "done" ? time : null,
    ...(to === "done" && { reopened_for_merge: 0 }),
  });
  recordStatusChange(board, event, { taskId, from: task.status, to, reason });
  if (isSettled(task) !== isSettled({ status: to, reopened_for_merge: reopened }))
    refreshDependents(board, taskId);
  if (isSettled({ status: to })) releaseLinkedBlockers(board, event, taskId);
}

export function recordStatusChange(
  board: Board,
  event: Event,
  change: { taskId: number; from: TaskStatus | null; to: TaskStatus; reason: Reason },
): void {
  const { rule, causes = [], session } = change.reason;
  keepPoint(board, event.position);
  if (change.from !== null) addToCount(board, change.from, -1);
  addToCount(board, change.to, 1);
  let ordinal = 1;
  while (board.statusChanges.get(event.position, ordinal)) ordinal++;
  board.statusChanges.insert({
    position: event.position,
    ordinal,
    task_id: change.taskId,
    from_status: change.from,
    to_status: change.to,
    rule,
    causes: JSON.stringify([...new Set([...causes, event.position])].sort((a, b) => a - b)),
    session_id: session ?? null,
    created: toSqlTime(event.recordedAt),
  });
}

/**
 * Positions between two count snapshots: a past count reads at most this many changes after its
 * snapshot.
 */
const POSITIONS_PER_POINT = 1_000;

/** Saves the counts as they were before the first change after a snapshot point. */
function keepPoint(board: Board, position: number): void {
  const point = position - 1 - ((position - 1) % POSITIONS_PER_POINT);
  if (board.statusPoints.get(point)) return;
  const count = (status: TaskStatus) => board.taskCounts.get(status)?.tasks ?? 0;
  board.statusPoints.insert({
    position: point,
    draft: count("draft"),
    pending: count("pending"),
    in_progress: count("in_progress"),
    needs_input: count("needs_input"),
    blocked: count("blocked"),
    done: count("done"),
    skipped: count("skipped"),
    failed: count("failed"),
  });
}

/** For a task that is removed without a status change. */
export function leaveCount(board: Board, event: Event, status: TaskStatus): void {
  keepPoint(board, event.position);
  addToCount(board, status, -1);
}

/** Updates the task count of a status. */
function addToCount(board: Board, status: TaskStatus, difference: number): void {
  const counted = board.taskCounts.get(status);
  if (counted) board.taskCounts.update(status, { tasks: counted.tasks + difference });
  else board.taskCounts.insert({ status, tasks: difference });
}

/**
 * Steps 7b to 7d: the first reason for which a task waits (docs/rules.md, Settlement, step 7). A
 * verified done that a human must accept waits for that before anything else.
 *
 * @param foretell counts what a running session has raised as open, as it will be after partial or
 * stuck; then the causes are incomplete, since a session may have raised thousands
 */
export function waitingStatus(
  board: Board,
  task: Task,
  foretell = false,
): { status: TaskStatus; reason: Reason } {
  if (task.awaiting_acceptance) return { status: "needs_input", reason: { rule: whyAccepted(board, task) } };
  const gates = board.gates.where({ task_id: task.id }, ({ state }) => state === "escalated");
  const questions = foretell
    ? [
        ...board.questions.first(1, { task_id: task.id, state: "open" }),
        ...board.questions.first(1, { task_id: task.id, state: "raised", blocking: 1 }),
      ]
    : board.questions.where({ task_id: task.id, state: "open" });
  const stall = stallCauses(board, task);
  if (gates.length + questions.length + stall.length > 0) {
    const causes = [
      ...stall,
      ...gates.flatMap(({ last_position }) => last_position ?? []),
      ...questions.map(({ id }) => id),
    ];
    return { status: "needs_input", reason: { rule: "settlement 7b", causes } };
  }
  const blockers = foretell
    ? foretoldBlockers(board, task)
    : board.blockers.where({ task_id: task.id, state: "open" });
  if (blockers.length > 0) {
    return { status: "blocked", reason: { rule: "settlement 7c", causes: blockers.map(({ id }) => id) } };
  }
  return { status: "pending", reason: { rule: "settlement 7d" } };
}

/** Why a done of its last session waits for a human. */
function whyAccepted(board: Board, task: Task): StatusRule {
  const asked =
    ledTo("ask", findingsOfLast(board, task)).length +
    unprovenToAsk(board, task.id).length +
    outsideToAsk(board, task).paths.length;
  return task.accept === "auto" && asked > 0 ? "evidence: ask" : "humans: accept";
}

/** An open one, or one that will be: a raised blocker that contests is resolved at once (10). */
function foretoldBlockers(board: Board, { id: task_id }: Task): Blocker[] {
  const raised = board.blockers
    .where({ task_id, state: "raised" })
    .find((blocker) => !wouldContest(board, blocker));
  return [...board.blockers.first(1, { task_id, state: "open" }), ...(raised ? [raised] : [])];
}

/**
 * Evaluates steps 7b to 7d again, while the task has one of these statuses.
 *
 * @param released blockers that have just resolved by themselves: the reason for evaluating again
 */
export function reevaluate(
  board: Board,
  event: Event,
  taskId: number,
  {
    whileIn = ["needs_input", "blocked"],
    released = [],
  }: { readonly whileIn?: readonly TaskStatus[]; readonly released?: readonly number[] } = {},
): void {
  const task = board.tasks.get(taskId);
  if (!task || !whileIn.includes(task.status)) return;
  const { status, reason } = waitingStatus(board, task);
  changeStatus(board, event, taskId, status, { ...reason, causes: [...released, ...(reason.causes ?? [])] });
}

/**
 * Linked blockers resolve by themselves when their task is done or skipped (10); their dependencies
 * stay.
 */
function releaseLinkedBlockers(board: Board, event: Event, taskId: number): void {
  const released = new Map<number, number[]>();
  for (const { id, task_id, state, state_without_act } of board.blockers.where({ depends_on: taskId })) {
    if (state === "open") {
      board.blockers.update(id, { state: "resolved" });
      released.set(task_id, [...(released.get(task_id) ?? []), id]);
    } else if (state_without_act === "open") {
      board.blockers.update(id, { state_without_act: "resolved" });
    }
  }
  for (const [waiting, blockers] of released) reevaluate(board, event, waiting, { released: blockers });
}
