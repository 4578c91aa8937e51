import type { TaskStatus } from "../events/types/fields.ts";
import type { GateDeclaration } from "../events/types/gates.ts";
import { isUndecidedProposal } from "../projections/board/proposals.ts";
import type { Task } from "../projections/board/tables.ts";
import type { Decision } from "./decide.ts";
import { deleteTask } from "./delete-task.ts";
import { enrichTask } from "./enrich-task.ts";
import { declareGates, withGates } from "./gates.ts";
import { checkLeftToHuman } from "./left-to-human.ts";
import { Refusal } from "./refusal.ts";
import { requireTask, type State } from "./state.ts";
import { changeTask, setTaskStatus, type TaskChange } from "./tasks.ts";

/**
 * An agent sets a status, within what it may (rules.md, What an agent may do to a status).
 *
 * @param isOwn whether a session is one of the agent's own
 * @throws Refusal `not_found`; `session_open`: the message names the verb to use, where the session is the agent's own;
 *   `not_possible`: only a human decides that, or something is left to a human there
 */
export function setTaskStatusAsAgent(
  input: { task: number; status: TaskStatus },
  isOwn: (session: string) => boolean,
): Decision<"task.status_set"> {
  return {
    ...setTaskStatus(input),
    permit(state) {
      const task = requireTask(state, input.task);
      checkNotRunning(task, input.status, isOwn);
      checkNoProposal(state, task);
      checkLeftToHuman(state, task, input.status);
    },
  };
}

/**
 * An agent changes a task, adds gates to it, or both in one batch; to change a proposal would be to exchange what the human is
 * asked to decide on.
 *
 * @throws Refusal as `changeTask` and `declareGates`; `not_possible`: it is a proposal that no human decided on
 */
export function changeTaskAsAgent(
  input: TaskChange,
  gates: readonly GateDeclaration[] = [],
): Decision<"task.changed" | "gate.declared"> {
  const { task, ...fields } = input;
  const declared = { task, gates };
  const changesMore = Object.values(fields).some((value) => value !== undefined);
  const change: Decision<"task.changed" | "gate.declared"> =
    changesMore || gates.length === 0 ? withGates(changeTask(input), declared) : declareGates(declared);
  return {
    ...change,
    permit: (state) => checkNoProposal(state, requireTask(state, task)),
  };
}

/**
 * An agent deletes a task; to delete a proposal would be to decide on it.
 *
 * @throws Refusal as `deleteTask`; `not_possible`: it is a proposal that no human decided on, or something is left to a human there
 */
export function deleteTaskAsAgent(input: { task: number }): Decision<"task.deleted"> {
  return {
    ...deleteTask(input),
    permit(state) {
      const task = requireTask(state, input.task);
      if (task.open_session !== null) {
        throw new Refusal(
          "session_open",
          `Session ${task.open_session} works on task ${task.id} now. Leave the task as it is; it can be deleted when that session has ended.`,
        );
      }
      checkNoProposal(state, task);
      checkLeftToHuman(state, task, "deleted");
    },
  };
}

/**
 * An agent enriches a task; a draft that is pending then must have nothing open that a human is asked.
 *
 * @throws Refusal as `enrichTask`; `not_possible`: the draft would be pending, and what is open there is left to a human
 */
export function enrichTaskAsAgent(input: Parameters<typeof enrichTask>[0]): Decision<"task.enriched"> {
  return {
    ...enrichTask(input),
    permit(state) {
      const task = requireTask(state, input.task);
      if (task.status === "draft" && !isUndecidedProposal(state, task)) {
        checkLeftToHuman(state, task, "enriched");
      }
    },
  };
}

function checkNotRunning(
  { id, open_session: session }: Task,
  status: TaskStatus,
  isOwn: (session: string) => boolean,
): void {
  if (session === null) return;
  throw new Refusal(
    "session_open",
    isOwn(session)
      ? `Task ${id} is your own, and your session ${session} runs: what you report decides the status. ${INSTEAD[status]}.`
      : `Session ${session} works on task ${id} now, and its end decides the status. Leave the task as it is.`,
  );
}

/** By which verbs an agent says of its own task what it wanted to set. */
const INSTEAD: Readonly<Record<TaskStatus, string>> = {
  draft: "If work remains, call partial; if you cannot go on, call stuck",
  pending: "If work remains, call partial; if you cannot go on, call stuck",
  in_progress: "It is in progress already; close it with done, partial or stuck",
  needs_input: "Call ask with blocking true, then partial",
  blocked: "Call blocked, then partial or stuck",
  done: "If the work is complete, call done",
  failed: "Call stuck with the reason",
  skipped: "Call stuck with the reason why the work should not be done",
};

function checkNoProposal(state: State, task: Task): void {
  if (!isUndecidedProposal(state, task)) return;
  throw new Refusal(
    "not_possible",
    `Task ${task.id} is a draft that an agent proposed, and only a human decides on it ` +
      `(\`signalbox inbox approve ${task.suggestion}\`, or reject). enrich_task may fill it; it stays a draft.`,
  );
}
