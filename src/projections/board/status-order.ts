import type { TaskStatus } from "../../events/types/fields.ts";

/** Whether a task could be started now, as SQL on its row: what `isReady` says (rules.md, Task statuses). */
export const IS_READY =
  "status = 'pending' AND open_dependencies = 0 AND unapproved_gates = 0 AND held_at = 0";

/** In which order ready tasks are taken, as SQL for ORDER BY. */
export const ORDER_OF_TURNS = "priority_rank, id";

/**
 * The parts of a status in the order in which a board shows its tasks, each as SQL for WHERE and ORDER BY: of pending those that
 * are ready come first, the next one first of all; of those that are over the latest; of others by id.
 */
export function statusParts(status: TaskStatus): readonly { where: string; order: string }[] {
  const where = `status = '${status}'`;
  const order = ORDERS[status] ?? "id";
  if (status !== "pending") return [{ where, order }];
  // Each part by itself can be read in its order from an index.
  return [IS_READY, `${where} AND NOT (${IS_READY})`].map((part) => ({ where: part, order }));
}

/** By the index of ends: of what is done when it became so, of what is skipped, which has no such time, its last change. */
const LATEST = "completed_at DESC, updated DESC, id DESC";
const ORDERS: Readonly<Partial<Record<TaskStatus, string>>> = {
  pending: ORDER_OF_TURNS,
  done: LATEST,
  skipped: LATEST,
};
