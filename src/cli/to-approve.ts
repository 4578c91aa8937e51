import type { TaskView } from "../projections/queries/tasks.ts";

/** Why a task is not ready, where a human has to approve its gates: one line, or none. */
export function toApprove(
  task: Pick<TaskView, "status" | "unapproved_gates"> | undefined,
): readonly string[] {
  if (!task || task.unapproved_gates === 0 || task.status === "done" || task.status === "skipped") return [];
  const { unapproved_gates: count } = task;
  return [`${count === 1 ? "1 gate waits" : `${count} gates wait`} for your approval: signalbox inbox`];
}
