import type { Decision } from "../../src/decisions/decide.ts";
import type { Reporter } from "../../src/decisions/rules/reports.ts";
import type { State } from "../../src/decisions/state.ts";
import type { FindingKind } from "../../src/events/types/session-work.ts";
import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { addComment } from "../../src/operations/comments.ts";
import { deleteTask } from "../../src/operations/delete-task.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { createFeature } from "../../src/operations/features.ts";
import {
  actOnGate,
  decideOnGates,
  declareGates,
  recordGateAttempt,
  reopenGate,
} from "../../src/operations/gates.ts";
import { answerQuestion, dismissItem, resolveBlocker } from "../../src/operations/inbox.ts";
import { acknowledgeFlag } from "../../src/operations/inbox-flags.ts";
import { approveItem, rejectItem } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { endSessionWith, startSession } from "../../src/operations/sessions.ts";
import { continueTask, splitTask } from "../../src/operations/stalls.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import type { Command, NewTask, SessionRef } from "./commands.ts";

/** The decision that a command stands for, as things are now: its small numbers become ids. */
export function decisionOf(state: State, command: Exclude<Command, { do: "signal" | "state" }>): Decision {
  switch (command.do) {
    case "start":
      return startSession({
        ...command,
        session: sessionId(state, command.session),
        task: taskId(state, command.task),
      });
    case "end": {
      const { findings, ...ending } = command;
      const session = sessionId(state, command.session);
      return endSessionWith({ work: workOf(state, session, findings) }, { ...ending, session });
    }
    case "gate": {
      const { exit_code, timed_out } = command;
      // An agent's attempt is on a gate of its own task, where that has one.
      const session = command.session && sessionId(state, command.session);
      const own = session === undefined ? undefined : (state.sessions.get(session)?.task_id ?? undefined);
      const gates = own === undefined ? state.gates.scan() : state.gates.where({ task_id: own });
      const { task_id: task, gate } = nth(gates, command.gate) ?? { task_id: own ?? UNKNOWN, gate: 1 };
      return recordGateAttempt({ task, gate, session, exit_code, timed_out });
    }
    case "gate_action": {
      const gates = command.escalated ? state.gates.where({ state: "escalated" }) : state.gates.scan();
      const { task_id: task, gate } = nth(gates, command.gate) ?? { task_id: UNKNOWN, gate: 1 };
      return actOnGate({ task, gate, action: command.action });
    }
    case "declare":
      return declareGates({ task: taskId(state, command.task), gates: command.gates.map(gateOf) });
    case "gate_approval":
      return approvalDecision(state, command);
    case "item":
      return itemDecision(state, command);
    case "set_status":
      return setTaskStatus({ task: taskId(state, command.task), status: command.status });
    case "comment":
      return addComment({ task: taskId(state, command.task), author: "human", body: "Please test it." });
    case "enrich":
      return enrichTask({ task: draftId(state, command), pseudocode: "for each order: write a line" });
    case "delete":
      return deleteTask({ task: unneededId(state, command) });
    case "accept":
      return acceptTask({ task: awaitingId(state, command) });
    case "send_back":
      return sendBackTask({ task: awaitingId(state, command), comment: "Not yet." });
    case "continue":
      return continueTask({ task: stalledId(state, command), hint: "Look at task 1." });
    case "split":
      return splitTask({ task: stalledId(state, command), part: "Read", others: ["Write"] });
    case "change": {
      const { depends_on, ...change } = command.change;
      const dependsOn = depends_on?.map((index) => taskId(state, index));
      return changeTask({ task: taskId(state, command.task), ...change, depends_on: dependsOn });
    }
    case "policy":
      return setPolicy({ policy: command.policy, value: command.value });
    case "create":
      return createTask(taskOf(state, command.task));
    case "feature":
      return createFeature({ name: command.name });
  }
}

/** A signal goes to the task of its session; in a session that was never started, or astray, to that which it names. */
export function reporterOf(
  state: State,
  { session, task, stray }: { session: SessionRef; task: number; stray: boolean },
): Reporter {
  const id = sessionId(state, session);
  const own = stray ? undefined : state.sessions.get(id)?.task_id;
  const named = stray ? taskId(state, task) : nth(state.tasks.scan(), task)?.id;
  return { session: id, task: own ?? named ?? UNKNOWN, actor: "agent" };
}

const UNKNOWN = 9_999;

/** With `waiting` on a gate on which it is legal, as a rule; an approval without a number is of all that wait. */
function approvalDecision(
  state: State,
  { act, waiting, gate: index }: Extract<Command, { do: "gate_approval" }>,
): Decision {
  const legal = act === "undo" ? (["approved", "rejected"] as const) : (["waiting"] as const);
  const { task_id: task, gate } = nth(
    waiting ? state.gates.where({ approval: legal }) : state.gates.scan(),
    index,
  ) ?? {
    task_id: UNKNOWN,
    gate: 1,
  };
  if (act === "undo") return reopenGate({ task, gate });
  return decideOnGates({ task, ...(index % 2 === 0 && { gate }), approve: act === "approve" });
}

function itemDecision(state: State, { act, waiting, item }: Extract<Command, { do: "item" }>): Decision {
  const wanted = itemsFor[act](state, waiting);
  const id = wanted.length > 0 ? (wanted[item % wanted.length] ?? UNKNOWN) : UNKNOWN;
  switch (act) {
    case "answer":
      return answerQuestion({ id, answer: "Yes." });
    case "resolve":
      return resolveBlocker({ id });
    case "dismiss":
      return dismissItem({ id });
    case "acknowledge":
      return acknowledgeFlag({ id });
    case "undo":
      return undo({ id });
    case "approve":
      return approveItem({ id });
    case "reject":
      return rejectItem({ id });
  }
}

type ItemAct = Extract<Command, { do: "item" }>["act"];
type ItemIds = (state: State, waiting: boolean) => number[];

const questionIds: ItemIds = (state, waiting) =>
  (waiting ? state.questions.where({ state: ["open", "raised"] }) : state.questions.scan()).map(
    ({ id }) => id,
  );
const blockerIds: ItemIds = (state, waiting) =>
  (waiting ? state.blockers.where({ state: ["open", "raised"] }) : state.blockers.scan()).map(({ id }) => id);
/** Proposed tasks, and gates that an agent declared at once. */
const proposalIds: ItemIds = (state, waiting) => [
  ...(waiting ? state.suggestions.where({ state: "proposed" }) : state.suggestions.scan()).map(
    ({ id }) => id,
  ),
  ...(waiting ? state.gates.where({ approval: "waiting" }) : state.gates.scan()).map(
    ({ declared }) => declared,
  ),
];

/** Items that the act is meant for; with `waiting` those on which it is legal, as a rule. */
const itemsFor: Readonly<Record<ItemAct, ItemIds>> = {
  answer: questionIds,
  resolve: blockerIds,
  dismiss: (state, waiting) => [...questionIds(state, waiting), ...blockerIds(state, waiting)],
  acknowledge: (state, waiting) =>
    state.flags
      .scan(({ severity, acted_at }) => !waiting || (severity === "blocking" && acted_at === null))
      .map(({ id }) => id),
  undo: (state, waiting) => {
    const { questions, blockers, suggestions, flags, gates } = state;
    const decided = gates.scan(({ approval_position: at }) => !waiting || at !== null);
    return [...questions.scan(), ...blockers.scan(), ...suggestions.scan(), ...flags.scan()]
      .filter(({ acted_at }) => !waiting || acted_at !== null)
      .map(({ id }) => id)
      .concat(decided.map(({ declared }) => declared));
  },
  approve: proposalIds,
  reject: proposalIds,
};

function taskOf(state: State, { id, depends_on, gates, by: _, ...task }: NewTask) {
  return {
    ...task,
    task: id,
    depends_on: state.tasks.scan().length > 0 ? depends_on.map((index) => taskId(state, index)) : [],
    gates: gates.map(gateOf),
  };
}

function gateOf(max: number) {
  return { command: "npm test", max, timeout_s: 300 };
}

/** The n-th task; one that is not there, once in a while. */
function taskId(state: State, index: number): number {
  return index === 7 ? UNKNOWN : (nth(state.tasks.scan(), index)?.id ?? UNKNOWN);
}

function draftId(state: State, { draft, task }: { draft: boolean; task: number }): number {
  const drafts = state.tasks.where({ status: "draft" });
  return draft ? (nth(drafts, task)?.id ?? UNKNOWN) : taskId(state, task);
}

/** With `unneeded` a task on which none depends. */
function unneededId(state: State, { unneeded, task }: { unneeded: boolean; task: number }): number {
  const free = state.tasks.scan(({ id }) => state.dependencies.where({ depends_on: id }).length === 0);
  return unneeded ? (nth(free, task)?.id ?? UNKNOWN) : taskId(state, task);
}

function awaitingId(state: State, { waiting, task }: { waiting: boolean; task: number }): number {
  const awaiting = state.tasks.scan(({ awaiting_acceptance }) => awaiting_acceptance === 1);
  return waiting ? (nth(awaiting, task)?.id ?? UNKNOWN) : taskId(state, task);
}

function stalledId(state: State, { waiting, task }: { waiting: boolean; task: number }): number {
  const stalled = state.tasks.scan(({ stalled_at }) => stalled_at > 0);
  return waiting ? (nth(stalled, task)?.id ?? UNKNOWN) : taskId(state, task);
}

function sessionId(state: State, { pick, index }: SessionRef): string {
  const sessions = state.sessions.scan();
  if (pick === "new") return `new-${sessions.length}-${index % 2}`;
  const choice = pick === "open" ? sessions.filter(({ completed_at }) => completed_at === null) : sessions;
  return nth(choice, index)?.id ?? `never-${index % 2}`;
}

/** A driver that found something; undefined where nobody looked. */
function workOf(state: State, session: string, kinds: readonly FindingKind[]) {
  const task = state.sessions.get(session)?.task_id;
  if (task == null || kinds.length === 0) return undefined;
  const finding = { paths: [], more: 0, refs: [], says: "It was found." };
  return {
    ...{ session, task, start: "a".repeat(40), tree_before: "b".repeat(40) },
    ...{ commits: 0, files: [], more: 0, added: 0, removed: 0 },
    findings: kinds.map((kind) => ({ ...finding, kind })),
  };
}

function nth<T>(things: readonly T[], index: number): T | undefined {
  return things.length > 0 ? things[index % things.length] : undefined;
}
