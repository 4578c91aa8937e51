import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { taskAccepted, taskSentBack } from "../events/types/tasks.ts";
import { findingsOfLast } from "../projections/board/evidence.ts";
import { byHumans } from "./by-humans.ts";
import { acted, actWords } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

const TASK = ["<id>", "the task's id"] as const;

/** Whose work it is does not accept it (docs/gates.md). */
const permit = byHumans("An agent cannot accept work or send it back: only a human does that.");

/**
 * @throws Refusal `not_found`, `not_possible`: no verified done waits there, or the caller is an
 * agent
 */
export const acceptTask = defineOperation({
  type: "task.accepted",
  input: taskAccepted.payload.pick({ task: true }),
  permit,
  plan: ({ task }, state) => [
    { type: "task.accepted", payload: { ...awaiting(state, { task }), ...seenFindings(state, task) } },
  ],
  answer: acted,
  command: {
    ...actWords("accept", "accept a verified done: the task is done", "7"),
    takes: { task: TASK },
  },
});

/** @throws Refusal as `acceptTask` */
export const sendBackTask = defineOperation({
  type: "task.sent_back",
  input: taskSentBack.payload,
  permit,
  plan: (payload, state) => [{ type: "task.sent_back", payload: awaiting(state, payload) }],
  answer: acted,
  command: {
    ...actWords(
      "send-back",
      "send a verified done back: the task becomes pending again",
      "7 'The header is missing.'",
    ),
    takes: { task: TASK, comment: ["<text>", "what still needs to be done"] },
  },
});

/** Who accepts has seen what was found in the workspace (docs/rules.md, Evidence). */
function seenFindings(state: State, task: number): Pick<PayloadOf<"task.accepted">, "findings"> {
  const kinds = findingsOfLast(state, requireTask(state, task)).map(({ kind }) => kind);
  return kinds.length === 0 ? {} : { findings: [...new Set(kinds)] };
}

/** A decision on a task that waits for acceptance. */
function awaiting<Payload extends { readonly task: number }>(state: State, payload: Payload): Payload {
  if (requireTask(state, payload.task).awaiting_acceptance) return payload;
  throw new Refusal("not_possible", `Task ${payload.task} is not waiting for acceptance.`);
}
