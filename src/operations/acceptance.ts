import { Refusal } from "../decisions/refusal.ts";
import { requireTask, type State } from "../decisions/state.ts";
import { taskAccepted, taskSentBack } from "../events/types/tasks.ts";
import { byHumans } from "./by-humans.ts";
import { acted, actWords } from "./inbox-words.ts";
import { defineOperation } from "./operation.ts";

const TASK = ["<id>", "the task's id"] as const;

/** Whose work it is does not accept it (docs/gates.md). */
const permit = byHumans("An agent accepts no work and sends none back: that belongs to the human.");

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export const acceptTask = defineOperation({
  type: "task.accepted",
  input: taskAccepted.payload,
  permit,
  plan(input, state) {
    checkAwaiting(state, input.task);
    return [{ type: "task.accepted", payload: input }];
  },
  answer: acted,
  command: {
    ...actWords("accept", "accept a verified done: the task is done", "7"),
    takes: { task: TASK },
  },
});

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export const sendBackTask = defineOperation({
  type: "task.sent_back",
  input: taskSentBack.payload,
  permit,
  plan(input, state) {
    checkAwaiting(state, input.task);
    return [{ type: "task.sent_back", payload: input }];
  },
  answer: acted,
  command: {
    ...actWords(
      "send-back",
      "do not accept a verified done: the task is pending again",
      "7 'The header is missing.'",
    ),
    takes: { task: TASK, comment: ["<text>", "what is to be done yet"] },
  },
});

function checkAwaiting(state: State, id: number): void {
  if (!requireTask(state, id).awaiting_acceptance) {
    throw new Refusal("not_possible", `Task ${id} does not wait to be accepted.`);
  }
}
