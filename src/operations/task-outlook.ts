import { z } from "zod";
import { type State, stateOf } from "../decisions/state.ts";
import { taskId, taskStatuses } from "../events/types/fields.ts";
import { alwaysPassing } from "../events/types/gate-words.ts";
import { isUndecidedProposal } from "../projections/board/proposals.ts";
import { isReady } from "../projections/board/status.ts";
import type { Task } from "../projections/board/tables.ts";
import { sameFilesInWords } from "../queries/same-files.ts";
import type { ReadModel } from "../read-model/read-model.ts";

/**
 * A task's state after a call, and the possible next steps; the status is null if it was deleted
 * meanwhile.
 */
export const outlook = z.strictObject({
  id: taskId,
  status: z.enum(taskStatuses).nullable(),
  next: z.string(),
});

/** @param declared the gates that the call declared */
export function outlookOf(
  readModel: ReadModel,
  id: number,
  declared: Parameters<typeof alwaysPassing>[0] = [],
): z.output<typeof outlook> {
  const state = stateOf(readModel);
  const task = state.tasks.get(id);
  if (!task) return { id, status: null, next: "It has been deleted since." };
  const next = [whatNext(state, task), ...awaitedApproval(task), ...alwaysPassing(declared)];
  return { id, status: task.status, next: next.join(" ").trim() };
}

/** The same for a task that was a draft already when a plan proposed it. */
export function outlookOfSame(readModel: ReadModel, id: number, plan: number): z.output<typeof outlook> {
  const { status, next } = outlookOf(readModel, id);
  const [draft] = stateOf(readModel).suggestions.where({ proposed_task: id, plan });
  const own = draft ? " To change it, call update_task." : "";
  return { id, status, next: `It is a draft already; nothing else of this call was kept.${own} ${next}` };
}

/** One sentence if a human must approve its gates first, or none. */
export function awaitedApproval({
  status,
  unapproved_gates: gates,
}: Pick<Task, "status" | "unapproved_gates">): readonly string[] {
  if (gates === 0 || status === "done" || status === "skipped") return [];
  const those = gates === 1 ? "a gate" : `${gates} gates`;
  return [`A human must approve ${those} first: until then the task is not ready.`];
}

function whatNext(state: State, task: Task): string {
  switch (task.status) {
    case "draft":
      return isUndecidedProposal(state, task)
        ? "An agent proposed it: it stays a draft until a human decides on it."
        : "It is a draft: it can be started once it is pending.";
    case "pending":
      if (isReady(task)) return `It is ready to be started${sameFilesInWords(state, task)}.`;
      if (task.held_at > 0) return "Its last sessions were cancelled: a human must let it start again.";
      return task.open_dependencies === 0
        ? ""
        : `It waits for ${task.open_dependencies} of its dependencies.`;
    case "done":
    case "skipped":
      return "Tasks that depend on it no longer wait for it.";
    default:
      return "It can be started once it is pending.";
  }
}
