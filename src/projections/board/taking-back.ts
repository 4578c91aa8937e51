import type { Gate, Task } from "./tables.ts";

/** Why a human's act cannot be undone any more. */
export type Final = "task_done" | "gate_run" | "session_started";

/**
 * Why a human's act cannot be undone, undefined if it can: the task's next session has started, or
 * made the decision itself; for a gate's approval or rejection also that its command ran, or its
 * task is done (docs/rules.md, Humans). The only place for this: `undo` refuses by it, and the
 * inbox lists by it.
 *
 * @param actedAt the position of the act
 * @param gate the gate that the act approved or rejected, if any
 */
export function whyFinal(
  task: Pick<Task, "status" | "last_start">,
  actedAt: number,
  gate?: Pick<Gate, "last_position" | "last_started">,
): Final | undefined {
  if (gate && task.status === "done") return "task_done";
  if (gate && (gate.last_position !== null || gate.last_started !== null)) return "gate_run";
  return task.last_start >= actedAt ? "session_started" : undefined;
}
