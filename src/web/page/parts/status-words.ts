import type { TaskStatus } from "../../../events/types/fields.ts";

/** The label of a task's state: pending is either ready or waiting. */
export function stateWords({
  status,
  isWaiting,
}: {
  readonly status: TaskStatus;
  readonly isWaiting: boolean;
}): string {
  return status === "pending" ? (isWaiting ? "Waiting" : "Ready") : statusWords[status];
}

/** Labels of a task's status. */
export const statusWords: Readonly<Record<TaskStatus, string>> = {
  draft: "Draft",
  pending: "Pending",
  in_progress: "In progress",
  needs_input: "Needs input",
  blocked: "Blocked",
  done: "Done",
  failed: "Failed",
  skipped: "Skipped",
};
