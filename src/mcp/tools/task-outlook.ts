import { z } from "zod";
import { type State, stateOf } from "../../decisions/state.ts";
import { taskId, taskStatuses } from "../../events/types/fields.ts";
import { isUndecidedProposal } from "../../projections/board/proposals.ts";
import type { Task } from "../../projections/board/tables.ts";
import { askFor, type Call } from "../tool.ts";

/** What a task is after a call, and what may come next; the status is null where it was deleted meanwhile. */
export const outlook = z.strictObject({
  id: taskId,
  status: z.enum(taskStatuses).nullable(),
  next: z.string(),
});

export async function outlookOf(call: Call, id: number): Promise<z.output<typeof outlook>> {
  return askFor(call, (readModel) => {
    const state = stateOf(readModel);
    const task = state.tasks.get(id);
    return task
      ? { id, status: task.status, next: whatNext(state, task) }
      : { id, status: null, next: "It was deleted since then." };
  });
}

function whatNext(state: State, task: Task): string {
  switch (task.status) {
    case "draft":
      return isUndecidedProposal(state, task)
        ? "An agent proposed it: it stays a draft until a human decides on it."
        : "It is a draft: it can be started once it is pending.";
    case "pending":
      return task.open_dependencies === 0
        ? "It is ready to be started."
        : `It waits for ${task.open_dependencies} of the tasks that it depends on.`;
    case "done":
    case "skipped":
      return "Tasks that depend on it do not wait for it any more.";
    default:
      return "It can be started once it is pending.";
  }
}
