import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { someOf } from "./some-of.ts";
import type { State } from "./state.ts";
import { checkNoSession } from "./tasks.ts";

/**
 * Takes a task off the board; its sessions and what was said in them stay as history, and its id is never used again.
 *
 * @throws Refusal `not_found`; `session_open`; `not_possible`: other tasks depend on it, and the message names them
 */
export function deleteTask(input: { task: number }): Decision<"task.deleted"> {
  return {
    type: "task.deleted",
    input,
    plan(state) {
      checkNoSession(state, input.task);
      checkNoDependents(state, input.task);
      return [{ type: "task.deleted", payload: input }];
    },
  };
}

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
        : ` What a blocker holds goes when that is resolved or dismissed: ${someOf(held)}.`),
  );
}
