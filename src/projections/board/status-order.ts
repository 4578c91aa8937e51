import type { Task } from "./tables.ts";

/**
 * Whether a task's row says that it can start now, as `isReady` does (docs/rules.md, Task
 * statuses).
 */
export const READY = {
  status: "pending",
  open_dependencies: 0,
  unapproved_gates: 0,
  held_at: 0,
} as const satisfies Partial<Task>;

/** The same as SQL on its row. */
export const IS_READY = Object.entries(READY)
  .map(([column, value]) => `${column} = ${typeof value === "string" ? `'${value}'` : value}`)
  .join(" AND ");

/** The order in which ready tasks start, as SQL for ORDER BY. */
export const ORDER_OF_TURNS = "priority_rank, id";
