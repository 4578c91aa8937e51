import { Refusal } from "../decisions/refusal.ts";
import { GATES_BY_HUMANS } from "../decisions/rules/gates.ts";
import { alreadyDecided, escalatedGateAt, heldAt, noSuchItem } from "../decisions/rules/inbox-items.ts";
import { statusSet } from "../decisions/rules/tasks.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { type GateAction, gateActed } from "../events/types/gates.ts";
import { questionAnswered } from "../events/types/questions.ts";
import { acceptTask, sendBackTask } from "./acceptance.ts";
import { byHumans } from "./by-humans.ts";
import { defineGroup } from "./group.ts";
import { acknowledgeFlag } from "./inbox-flags.ts";
import { listItems } from "./inbox-list.ts";
import { approveItem, rejectItem } from "./inbox-proposals.ts";
import { undo } from "./inbox-undo.ts";
import { acted, actWords, ITEM, itemInput } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";
import { continueTask, splitTask } from "./stalls.ts";

/**
 * Any ask that is not answered or dismissed can be answered. @throws Refusal `not_found`,
 * `already_decided`
 */
export const answerQuestion = defineOperation({
  type: "question.answered",
  input: itemInput.extend({ answer: questionAnswered.payload.shape.answer }),
  plan({ id, answer }, state) {
    const task = requireQuestion(state, id);
    return [{ type: "question.answered", payload: { task, question: id, answer } }];
  },
  answer: acted,
  command: {
    ...actWords(
      "answer",
      "answer a question; the answer goes into the next prompt",
      "42 'Sync, with a simple retry.'",
    ),
    takes: { id: ITEM, answer: ["<text>", "the answer"] },
  },
});

/** @throws Refusal `not_found`, `already_decided` */
export const resolveBlocker = defineOperation({
  type: "blocker.resolved",
  input: itemInput,
  plan({ id }, state) {
    return [{ type: "blocker.resolved", payload: { task: requireBlocker(state, id), blocker: id } }];
  },
  answer: acted,
  command: actWords("resolve", "mark a blocker as resolved", "43"),
});

/** Dismisses a single question or blocker. @throws Refusal `not_found`, `already_decided` */
export const dismissItem = defineOperation({
  type: "question.dismissed",
  or: ["blocker.dismissed"],
  input: itemInput,
  plan({ id }, state) {
    return state.questions.get(id)
      ? [{ type: "question.dismissed", payload: { task: requireQuestion(state, id), question: id } }]
      : [{ type: "blocker.dismissed", payload: { task: requireBlocker(state, id), blocker: id } }];
  },
  answer: acted,
  command: actWords("dismiss", "close a question or a blocker without answering", "42"),
});

/**
 * A human decides on an escalated gate, identified by the attempt that escalated it.
 *
 * @throws Refusal `not_found`; `not_possible`: the caller is an agent
 */
export const actOnGateItem = defineOperation({
  type: "gate.acted",
  input: itemInput.extend({ action: gateActed.payload.shape.action }),
  permit: byHumans(GATES_BY_HUMANS),
  plan({ id, action }, state) {
    const gate = escalatedGateAt(state, id);
    if (!gate) throw noSuchItem(state, "escalated gate", id);
    return [{ type: "gate.acted", payload: { task: gate.task_id, gate: gate.gate, action } }];
  },
  answer: acted,
  command: [
    onGate("retry", "its attempts restart at 0"),
    onGate("skip", "it counts as passed"),
    onGate("abort", "the task fails"),
  ],
});

function onGate(action: GateAction, effect: string) {
  return { ...actWords(action, `decide on an escalated gate: ${effect}`, "45"), sets: { action } };
}

/**
 * Accepts an agent's objection to a done or skipped task: sets that task pending.
 *
 * @throws Refusal `not_found`; `already_decided`: the task is already open again; `session_open`
 */
export const setContestedPending = defineOperation({
  type: "task.status_set",
  input: itemInput,
  plan({ id }, state) {
    const blocker = state.blockers.get(id);
    if (!blocker?.contests || blocker.depends_on === null) throw noSuchItem(state, "contest", id);
    const { id: task, status } = requireTask(state, blocker.depends_on);
    if (status !== "done" && status !== "skipped") {
      throw new Refusal("already_decided", `Task ${task} is ${status} already: nothing is contested.`);
    }
    return [statusSet(state, { task, status: "pending" })];
  },
  answer: acted,
});

/**
 * Lets a held task start again after cancelled sessions: sets it pending.
 *
 * @throws Refusal `not_found`, `session_open`
 */
export const releaseHeld = defineOperation({
  type: "task.status_set",
  input: itemInput,
  plan({ id }, state) {
    const task = heldAt(state, id);
    if (task === undefined) throw noSuchItem(state, "held task", id);
    return [statusSet(state, { task, status: "pending" })];
  },
  answer: acted,
});

/** The task of an undecided question. */
function requireQuestion(state: State, id: number): number {
  const question = state.questions.get(id);
  if (!question) throw noSuchItem(state, "question", id);
  requireTask(state, question.task_id);
  if (question.state === "answered" || question.state === "dismissed")
    throw alreadyDecided("Question", question);
  return question.task_id;
}

/** The task of an undecided blocker. */
function requireBlocker(state: State, id: number): number {
  const blocker = state.blockers.get(id);
  if (!blocker) throw noSuchItem(state, "blocker", id);
  requireTask(state, blocker.task_id);
  if (blocker.state === "resolved" || blocker.state === "dismissed") throw alreadyDecided("Blocker", blocker);
  return blocker.task_id;
}

export const inbox = defineGroup({
  name: "inbox",
  does: "what needs a human, and the commands to act on it",
  has: [
    listItems,
    answerQuestion,
    resolveBlocker,
    dismissItem,
    acknowledgeFlag,
    approveItem,
    rejectItem,
    actOnGateItem,
    undo,
    acceptTask,
    sendBackTask,
    continueTask,
    splitTask,
  ],
});
