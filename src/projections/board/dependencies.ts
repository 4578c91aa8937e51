import { findPath } from "../../lib/graph-path.ts";
import { toFlag } from "../table.ts";
import type { Board, Task } from "./tables.ts";

/**
 * A done or skipped task blocks no other, even if it was reopened for its merge (docs/rules.md,
 * Task statuses, Merges).
 */
export function isSettled(
  task: (Pick<Task, "status"> & Partial<Pick<Task, "reopened_for_merge">>) | undefined,
): boolean {
  return task?.status === "done" || task?.status === "skipped" || task?.reopened_for_merge === 1;
}

/**
 * The path from `from` along its dependencies to `to`, both included, or undefined if there is
 * none.
 */
export function dependencyPath(
  board: Pick<Board, "dependencies">,
  from: number,
  to: number,
): readonly number[] | undefined {
  return findPath(from, to, (task_id) =>
    board.dependencies.where({ task_id }).map(({ depends_on }) => depends_on),
  );
}

/** Adds an edge for an open blocker; a declared edge stays declared. */
export function addHeldDependency(board: Board, taskId: number, dependsOn: number): void {
  if (board.dependencies.get(taskId, dependsOn)) return;
  board.dependencies.insert({ task_id: taskId, depends_on: dependsOn, declared: 0 });
  refreshDependencies(board, taskId);
}

/** Removes an edge that is neither declared nor held by an open blocker. */
export function dropHeldDependency(board: Board, taskId: number, dependsOn: number): void {
  const edge = board.dependencies.get(taskId, dependsOn);
  if (!edge || edge.declared) return;
  const holders = board.blockers.where(
    { task_id: taskId, state: "open" },
    ({ depends_on }) => depends_on === dependsOn,
  );
  if (holders.length > 0) return;
  board.dependencies.delete(taskId, dependsOn);
  refreshDependencies(board, taskId);
}

/** Replaces the declared edges of a task; edges held by open blockers stay. */
export function declareDependencies(board: Board, taskId: number, declared: readonly number[]): void {
  const wanted = new Set(declared);
  for (const edge of board.dependencies.where({ task_id: taskId })) {
    board.dependencies.update([taskId, edge.depends_on], {
      declared: toFlag(wanted.delete(edge.depends_on)),
    });
  }
  for (const id of wanted) board.dependencies.insert({ task_id: taskId, depends_on: id, declared: 1 });
  for (const edge of board.dependencies.where({ task_id: taskId })) {
    dropHeldDependency(board, taskId, edge.depends_on);
  }
  refreshDependencies(board, taskId);
}

/**
 * Recounts the open dependencies of the tasks that depend on this one, after it was settled or
 * reopened.
 */
export function refreshDependents(board: Board, taskId: number): void {
  for (const edge of board.dependencies.where({ depends_on: taskId }))
    refreshDependencies(board, edge.task_id);
}

function refreshDependencies(board: Board, taskId: number): void {
  const ids = board.dependencies.where({ task_id: taskId }).map((edge) => edge.depends_on);
  board.tasks.update(taskId, {
    depends_on: JSON.stringify(ids),
    open_dependencies: ids.filter((id) => !isSettled(board.tasks.get(id))).length,
  });
}
