import type { IsOwn } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { checkLeftToHuman } from "../decisions/rules/left-to-human.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { AGENT } from "../events/actors.ts";
import type { TaskStatus } from "../events/types/fields.ts";
import { planName } from "../events/types/plans.ts";
import { isUndecidedProposal } from "../projections/board/proposals.ts";
import type { Task } from "../projections/board/tables.ts";

/**
 * What an agent may do to a task (docs/rules.md, What an agent may do to a status); everyone else may do
 * everything.
 */

/** The task of an operation. */
interface TaskRef {
  readonly task: number;
}

/**
 * @throws Refusal `not_found`; `session_open`: the message names the verb to use, if the session is
 * the agent's own; `not_possible`: only a human may decide that, or a human's decision is pending
 */
export function maySetStatus(
  { task: id, status }: TaskRef & { readonly status: TaskStatus },
  state: State,
  actor: string,
  isOwn: IsOwn,
): void {
  if (actor !== AGENT) return;
  const task = requireTask(state, id);
  checkNotRunning(task, status, isOwn);
  checkNoProposal(state, task);
  checkLeftToHuman(state, task, status);
}

/**
 * Changing a proposal would replace what the human is asked to decide on; a plan's session may, while it is open.
 *
 * @throws Refusal `not_found`; `not_possible`: it is an undecided proposal
 */
export function mayChange({ task }: TaskRef, state: State, actor: string, isOwn: IsOwn): void {
  if (actor === AGENT) checkNoProposal(state, requireTask(state, task), isOwn);
}

/**
 * Deleting a proposal would decide on it.
 *
 * @throws Refusal `not_found`, `session_open`; `not_possible`: it is an undecided proposal, or a
 * human's decision is pending
 */
export function mayDelete({ task: id }: TaskRef, state: State, actor: string): void {
  if (actor !== AGENT) return;
  const task = requireTask(state, id);
  if (task.open_session !== null) {
    throw new Refusal(
      "session_open",
      `Session ${task.open_session} works on task ${task.id} now. Leave the task as it is; it can be deleted when that session has ended.`,
    );
  }
  checkNoProposal(state, task);
  checkLeftToHuman(state, task, "deleted");
}

/**
 * A draft that becomes pending must have no open question to a human.
 *
 * @throws Refusal `not_found`; `not_possible`: the draft would become pending, and a human's
 * decision is pending
 */
export function mayEnrich({ task: id }: TaskRef, state: State, actor: string): void {
  if (actor !== AGENT) return;
  const task = requireTask(state, id);
  if (task.status === "draft" && !isUndecidedProposal(state, task)) checkLeftToHuman(state, task, "enriched");
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
      ? `Your session ${session} is running on task ${id}, and your reports decide its status. ` +
          `${INSTEAD[status]}.`
      : `Session ${session} works on task ${id} now, and its end decides the status. Leave the task as it is.`,
  );
}

/** The verbs with which an agent reports what it tried to set on its own task. */
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

function checkNoProposal(state: State, task: Task, isOwn: IsOwn = () => false): void {
  if (!isUndecidedProposal(state, task)) return;
  const plan = state.plans.get(state.suggestions.get(task.suggestion ?? 0)?.plan ?? 0);
  if (plan?.state === "open" && isOwn(plan.session_id)) return;
  const name = plan ? `${planName(plan.plan)} --only ${task.id}` : task.suggestion;
  throw new Refusal(
    "not_possible",
    `Task ${task.id} is a draft that an agent proposed; only a human decides on it (\`signalbox ` +
      `inbox approve ${name}\`, or reject). enrich_task may fill it in; it stays a draft.`,
  );
}
