import type { TaskView } from "../queries/tasks.ts";

/**
 * Why a task is not ready, if a human must approve its gates or let it start again: one line each.
 */
export function toApprove(
  task: Pick<TaskView, "status" | "unapproved_gates" | "held_at"> | null | undefined,
): readonly string[] {
  if (!task || task.status === "done" || task.status === "skipped") return [];
  const { status, unapproved_gates: count, held_at } = task;
  const gates = count === 1 ? "1 gate waiting" : `${count} gates waiting`;
  return [
    ...(count > 0 ? [`${gates} for your approval: signalbox inbox`] : []),
    ...(held_at > 0 && status === "pending"
      ? ["its last sessions were cancelled; let it start again in: signalbox inbox"]
      : []),
  ];
}
