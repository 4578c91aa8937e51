import type { TaskStatus } from "../core.ts";

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

/** A change of a task's status in words: `Pending → In progress`, `Added as pending`. */
export function changeWords({
  from,
  to,
}: {
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
}): string {
  const added = `Added as ${statusWords[to].toLowerCase()}`;
  return from === null ? added : `${statusWords[from]} → ${statusWords[to]}`;
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
