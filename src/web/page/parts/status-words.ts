import type { TaskStatus } from "../../../events/types/fields.ts";

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
