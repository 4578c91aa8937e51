import type { Event } from "../../events/types/index.ts";
import { addHeldDependency, dependencyPath, dropHeldDependency, isSettled } from "./dependencies.ts";
import { findReferredTask } from "./reference.ts";
import type { Blocker, Board } from "./tables.ts";

/**
 * Opens a blocker: links an upstream one to the task that it names. If that task is done or skipped
 * already, the blocker is contested instead and resolved at once (docs/rules.md, Settlement, 10).
 */
export function linkBlocker(board: Board, blocker: Blocker): void {
  const target = taskMeantBy(board, blocker);
  if (target === undefined) return;
  if (isSettled(board.tasks.get(target))) {
    board.blockers.update(blocker.id, {
      state: "resolved",
      depends_on: target,
      contests: 1,
      circle_with: null,
    });
    return;
  }
  if (dependencyPath(board, target, blocker.task_id)) {
    board.blockers.update(blocker.id, { circle_with: target });
    return;
  }
  board.blockers.update(blocker.id, { depends_on: target, circle_with: null });
  addHeldDependency(board, blocker.task_id, target);
}

/**
 * Whether a blocker would be contested if it opened now: the task that it names is done or skipped
 * already (10).
 */
export function wouldContest(board: Pick<Board, "tasks">, blocker: Blocker): boolean {
  const target = taskMeantBy(board, blocker);
  return target !== undefined && isSettled(board.tasks.get(target));
}

/**
 * A blocker linked to a task that was deleted later waits for a human, like one that names no task.
 */
function taskMeantBy(board: Pick<Board, "tasks">, blocker: Blocker): number | undefined {
  if (blocker.kind !== "upstream_task") return undefined;
  const target = blocker.depends_on ?? findReferredTask(board, blocker.on, blocker.task_id);
  return target !== undefined && board.tasks.get(target) ? target : undefined;
}

/** The task that a blocker is linked to; null if it is linked to none, or that one was deleted. */
export function linkedTask(
  board: { readonly tasks: Pick<Board["tasks"], "get"> },
  { depends_on }: Pick<Blocker, "depends_on">,
): number | null {
  return depends_on !== null && board.tasks.get(depends_on) ? depends_on : null;
}

/** A human acted on a blocker: removes the dependency that its link added. */
export function closeBlocker(
  board: Board,
  event: Event,
  blocker: Blocker,
  state: "resolved" | "dismissed",
): void {
  if (blocker.state === "resolved" || blocker.state === "dismissed") return;
  board.blockers.update(blocker.id, { state, state_without_act: blocker.state, acted_at: event.position });
  if (blocker.state === "open" && blocker.depends_on !== null) {
    dropHeldDependency(board, blocker.task_id, blocker.depends_on);
  }
}

/**
 * A human undid that act: the blocker returns to the state that it would have without it. A linked
 * one is linked again; one whose session had not ended at the time of the act is evaluated now.
 */
export function reopenBlocker(board: Board, blocker: Blocker): void {
  const { state_without_act: state, acted_at: actedAt } = blocker;
  if (state === null) return;
  board.blockers.update(blocker.id, { state, state_without_act: null, acted_at: null });
  if (state !== "open") return;
  const ended = board.sessions.get(blocker.session_id)?.ended_position ?? 0;
  if (blocker.depends_on !== null || (actedAt ?? 0) < ended) linkBlocker(board, blocker);
}
