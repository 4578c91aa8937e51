import type { TaskStatus } from "../../events/types/fields.ts";

/** Whether a task could be started now, as SQL on its row: what `isReady` says (rules.md, Task statuses). */
export const IS_READY =
  "status = 'pending' AND open_dependencies = 0 AND unapproved_gates = 0 AND held_at = 0";

/** In which order ready tasks are taken, as SQL for ORDER BY. */
export const ORDER_OF_TURNS = "priority_rank, id";

/**
 * In which order a board shows the tasks of a status, as SQL for ORDER BY: of pending those that are ready come first, the
 * next one first of all; of those that are over the latest; of others by id.
 */
export function statusOrder(status: TaskStatus): string {
  return ORDERS[status] ?? "id";
}

const LATEST = "coalesce(completed_at, updated) DESC, id DESC";
const ORDERS: Readonly<Partial<Record<TaskStatus, string>>> = {
  pending: `NOT (${IS_READY}), ${ORDER_OF_TURNS}`,
  done: LATEST,
  skipped: LATEST,
};
