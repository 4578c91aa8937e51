import { isStalled } from "../../projections/board/stalls.ts";
import type { Gate, Task } from "../../projections/board/tables.ts";
import { Refusal } from "../refusal.ts";
import { refuseAgent } from "../refuse-agent.ts";
import type { State } from "../state.ts";
import { gatesDeclaredAt } from "./gate-declarations.ts";
import { GATES_BY_HUMANS } from "./gates.ts";

/** Refuses agents, for items that may be a flag or a declaration of gates. @throws Refusal `not_possible` */
export function mayDecideOnItem(
  {
    id,
    others = [],
  }: { readonly id: number | string; readonly others?: readonly (number | string)[] | undefined },
  state: State,
  actor: string,
): void {
  for (const one of [id, ...others]) {
    if (typeof one === "string" || state.plans.where({ begun: one }).length > 0)
      refuseAgent(actor, PLANS_BY_HUMANS);
    if (typeof one === "string") continue;
    if (gatesDeclaredAt(state, one).length > 0) refuseAgent(actor, GATES_BY_HUMANS);
    if (state.flags.get(one)) refuseAgent(actor, FLAGS_BY_HUMANS);
    const kind = state.suggestions.get(one)?.kind;
    if (kind === "edit") refuseAgent(actor, "Only a human decides on an edit of an issue.");
    if (kind === "plan") refuseAgent(actor, PLANS_BY_HUMANS);
  }
}

const PLANS_BY_HUMANS = "Only a human decides on a plan.";

/** Why no agent acknowledges a flag: it is raised for a human to see. */
export const FLAGS_BY_HUMANS =
  "An agent cannot acknowledge a flag or undo that: only a human does that, with `signalbox inbox`.";

/** The gate escalated by the attempt at this position, if undecided; else undefined. */
export function escalatedGateAt(state: Pick<State, "gates">, position: number): Gate | undefined {
  return state.gates.where({ state: "escalated" }).find(({ last_position }) => last_position === position);
}

/** The task held since this position; else undefined. */
export function heldAt(state: State, position: number): number | undefined {
  const task = taskOfEnd(state, position);
  return task?.held_at === position ? task.id : undefined;
}

/** The task of the session that ended at this position. */
function taskOfEnd(state: State, position: number): Task | undefined {
  const [session] = state.sessionTimes.where({ ended_position: position });
  return session && state.tasks.get(session.task_id ?? 0);
}

/** @throws Refusal `already_decided`: the task does not wait since this session's end */
export function checkStalledAt(state: State, task: number, position: number): void {
  const found = state.tasks.get(task);
  if (!found || !isStalled(found) || found.stalled_at !== position)
    throw new Refusal("already_decided", `Task ${task} no longer waits because its sessions did not get on.`);
}

/** @throws Refusal `already_decided`: no task waits for acceptance since this position */
export function checkAwaitedSince(state: State, position: number): void {
  if (acceptanceAt(state, position) === undefined) {
    throw new Refusal("already_decided", `The done at position ${position} is already decided.`);
  }
}

/** @throws Refusal `already_decided`: the task's merge has changed since this position */
export function checkMergeAt(state: State, task: number, position: number): void {
  const row = state.merges.get(task);
  if (row?.position !== position) {
    throw new Refusal("already_decided", `The merge of task ${task} is now ${row?.state ?? "gone"}.`);
  }
}

/**
 * The refusal of an act on the wrong kind of item: its kind and its acts, or that there is none.
 */
export function noSuchItem(state: State, what: string, id: number): Refusal {
  const is = whatItIs(state, id);
  return new Refusal(
    "not_found",
    is ? `${id} is ${is}.` : `There is no ${what} ${id}. Run \`signalbox inbox list\` to see what needs you.`,
  );
}

/** The refusal of an act on an item that is decided already. */
export function alreadyDecided(what: string, { id, state }: { id: number; state: string }): Refusal {
  return new Refusal(
    "already_decided",
    `${what} ${id} is already ${state}. To undo that, run \`signalbox inbox undo ${id}\`.`,
  );
}

function whatItIs(state: State, id: number): string | undefined {
  if (state.questions.get(id)) return "a question; answer or dismiss it";
  const blocker = state.blockers.get(id);
  if (blocker?.contests && blocker.state === "resolved") {
    return (
      `a contest, which needs no answer; if the agent is right, set task ${blocker.depends_on} to ` +
      "pending"
    );
  }
  if (blocker) return "a blocker; resolve or dismiss it";
  if (state.suggestions.get(id)) return "a suggestion; approve or reject it";
  if (gatesDeclaredAt(state, id).length > 0) return "a declaration of gates; approve or reject it";
  if (escalatedGateAt(state, id)) return "an escalated gate; retry, skip or abort it";
  const held = heldAt(state, id);
  if (held !== undefined) return `a held task; set task ${held} to pending to let it start again`;
  const stalled = taskOfEnd(state, id);
  if (stalled && isStalled(stalled) && stalled.stalled_at === id)
    return `task ${stalled.id}, whose sessions did not get on; name it: \`signalbox inbox continue ${stalled.id}\``;
  if (state.flags.get(id)) return "a flag; acknowledge it";
  const [merge] = state.merges.scan(({ position }) => position === id);
  if (merge)
    return (
      "a merge; run `signalbox merge list`, then name its task: `signalbox merge queue " +
      `${merge.task_id}\``
    );
  const task = acceptanceAt(state, id);
  return task === undefined
    ? undefined
    : `a verified done; name its task to accept it or send it back: \`signalbox inbox accept ${task}\``;
}

/** The task that waits for acceptance since this position. */
function acceptanceAt(state: State, position: number): number | undefined {
  return state.statusChanges
    .where({ position, to_status: "needs_input" })
    .map(({ task_id }) => task_id)
    .find((id) => state.tasks.get(id)?.status === "needs_input" && state.tasks.get(id)?.awaiting_acceptance);
}
