import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import { checkNoSession } from "../decisions/rules/tasks.ts";
import type { State } from "../decisions/state.ts";
import { taskId } from "../events/types/fields.ts";
import { taskDeleted } from "../events/types/tasks.ts";
import { someOf } from "../lib/some-of.ts";
import { defineOperation } from "./operation.ts";
import { mayDelete } from "./task-rights.ts";

/**
 * Deletes a task; its sessions and their signals stay as history, and its id is never reused.
 *
 * @throws Refusal `not_found`; `session_open`; `not_possible`: other tasks depend on it, and the
 * message names them; as `mayDelete`
 */
export const deleteTask = defineOperation({
  type: "task.deleted",
  input: taskDeleted.payload,
  permit: mayDelete,
  plan(input, state) {
    checkNoSession(state, input.task);
    checkNoDependents(state, input.task);
    return [{ type: "task.deleted", payload: input }];
  },
  answer: ({ input: { task: deleted }, event }) => ({ deleted, position: event.position }),
  command: {
    name: "delete",
    does: "delete a task for good; the log keeps its history, its id is never reused",
    takes: { task: ["<id>", "the task's id"] },
    example: "7",
    says: ({ deleted }) => `Deleted task ${deleted}; the log keeps its history.`,
  },
  tool: {
    name: "delete_task",
    title: "Delete a task",
    description:
      "Deletes a task for good. Fails while other tasks depend on it, a session works on it, or " +
      "anything on it belongs to a human: questions, blockers, gates, comments, decisions.",
    takes: z.strictObject({ id: taskId }),
    input: ({ id: task }) => ({ task }),
    gives: z.strictObject({ deleted: taskId }),
    answer: ({ input }) => ({ deleted: input.task }),
    effect: "deleting",
    example: { id: 7 },
    target: { field: "id", of: "task" },
  },
});

function checkNoDependents(state: State, id: number): void {
  const dependents = state.dependencies.where({ depends_on: id }).map(({ task_id }) => task_id);
  if (dependents.length === 0) return;
  const holders = state.blockers.where({ depends_on: id, state: "open" });
  const held = holders.map((blocker) => `${blocker.id} of task ${blocker.task_id}`);
  const [are, them, they] =
    dependents.length === 1
      ? ["is a task that depends", "it", "it depends"]
      : ["are tasks that depend", "them", "they depend"];
  throw new Refusal(
    "not_possible",
    `Task ${id} cannot be deleted while there ${are} on it: ${someOf(dependents)}. Delete ${them} first, or take ${id} out ` +
      `of what ${they} on: \`signalbox task set ${dependents[0]} --depends-on …\`.` +
      (held.length === 0
        ? ""
        : " A dependency held by a blocker goes when the blocker is resolved or dismissed: " +
          `${someOf(held)}.`),
  );
}
