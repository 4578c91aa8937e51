import type { Gate, Task } from "./tables.ts";

/** What ended the time in which a human's act could be taken back. */
export type Final = "task_done" | "gate_run" | "session_started";

/**
 * Why a human's act cannot be taken back any more, undefined where it can: the next session of its task has started, or is what
 * decided it; of a gate's approval or rejection also that its command was run, or its task is done (rules.md, Humans). The one
 * place for this: `undo` refuses by it, and the inbox lists by it what can be undone.
 *
 * @param actedAt the position of the act
 * @param gate that was approved or rejected, where the act is that
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
