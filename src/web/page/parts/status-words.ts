import type { TaskStatus } from "../../../events/types/fields.ts";

/** What a task is, as a person who looks for work sees it: pending is either ready or waiting. */
export function stateWords({
  status,
  isWaiting,
}: {
  readonly status: TaskStatus;
  readonly isWaiting: boolean;
}): string {
  return status === "pending" ? (isWaiting ? "Waiting" : "Ready") : statusWords[status];
}

/** A task's status in words for people. */
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
