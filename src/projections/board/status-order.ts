import type { TaskStatus } from "../../events/types/fields.ts";

/**
 * In which order a board shows the tasks of a status, as SQL for ORDER BY: of pending those that are ready come first, the
 * next one first of all; of those that are over the latest; of others by id.
 */
export function statusOrder(status: TaskStatus): string {
  return ORDERS[status] ?? "id";
}

const LATEST = "coalesce(completed_at, updated) DESC, id DESC";
const ORDERS: Readonly<Partial<Record<TaskStatus, string>>> = {
  pending: "open_dependencies > 0 OR unapproved_gates > 0, priority_rank, id",
  done: LATEST,
  skipped: LATEST,
};
