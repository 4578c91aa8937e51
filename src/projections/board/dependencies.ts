import { toFlag } from "../table.ts";
import type { Board, Task } from "./tables.ts";

/** A task that is done or skipped holds up nobody (rules.md, Task statuses). */
export function isSettled(task: Pick<Task, "status"> | undefined): boolean {
  return task?.status === "done" || task?.status === "skipped";
}

/**
 * The way from `from` along its dependencies to `to`, both included, or undefined if there is none. An edge from `to`
 * to `from` would close it to a circle.
 */
export function dependencyPath(
  board: Pick<Board, "dependencies">,
  from: number,
  to: number,
): readonly number[] | undefined {
  const cameFrom = new Map<number, number>([[from, from]]);
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) return pathTo(id, cameFrom);
    for (const { depends_on } of board.dependencies.where({ task_id: id })) {
      if (cameFrom.has(depends_on)) continue;
      cameFrom.set(depends_on, id);
      queue.push(depends_on);
    }
  }
  return undefined;
}

/** Adds an edge that an open blocker holds; a declared one stays declared. */
export function addHeldDependency(board: Board, taskId: number, dependsOn: number): void {
  if (board.dependencies.get(taskId, dependsOn)) return;
  board.dependencies.insert({ task_id: taskId, depends_on: dependsOn, declared: 0 });
  refreshDependencies(board, taskId);
}

/** Takes an edge back that nobody declared and that no open blocker holds any more. */
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

/** Replaces the declared edges of a task; those that open blockers hold stay. */
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

/** Counts again what holds up the tasks that depend on this one, after it was settled or taken up again. */
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

function pathTo(end: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path = [end];
  for (let id = end; cameFrom.get(id) !== id; ) {
    id = cameFrom.get(id) ?? id;
    path.unshift(id);
  }
  return path;
}
