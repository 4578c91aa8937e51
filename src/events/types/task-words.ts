/*
 * The choices of a task's fields. Kept apart from the schemas, since the panel's page does not load
 * those.
 */

export const taskStatuses = [
  "draft",
  "pending",
  "in_progress",
  "needs_input",
  "blocked",
  "done",
  "failed",
  "skipped",
] as const;

/** In the order in which the next task is chosen (docs/rules.md, Task statuses). */
export const priorities = ["critical", "high", "medium", "low"] as const;
