import type { TaskStatus } from "../events/types/fields.ts";
import type { Decision, PlannedEvent } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { refuseAgent } from "./refuse-agent.ts";
import { requireTask, type State } from "./state.ts";

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export function acceptTask(input: { task: number }): Decision<"task.accepted"> {
  return {
    type: "task.accepted",
    input,
    permit: (_, actor) => checkHuman(actor),
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.accepted", payload: input }];
    },
  };
}

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export function sendBackTask(input: { task: number; comment: string }): Decision<"task.sent_back"> {
  return {
    type: "task.sent_back",
    input,
    permit: (_, actor) => checkHuman(actor),
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.sent_back", payload: input }];
    },
  };
}

/** Whose work it is does not accept it (docs/gates.md). @throws Refusal `not_possible` */
function checkHuman(actor: string): void {
  refuseAgent(actor, "An agent accepts no work and sends none back: that belongs to the human.");
}

/** Any status, while no session of the task is open (rules.md, Humans). @throws Refusal `not_found`, `session_open` */
export function statusSet(
  state: State,
  payload: { readonly task: number; readonly status: TaskStatus },
): PlannedEvent<"task.status_set"> {
  checkNoSession(state, payload.task);
  return { type: "task.status_set", payload };
}

/** @throws Refusal `not_found`, `session_open` */
export function checkNoSession(state: State, id: number): void {
  const { open_session } = requireTask(state, id);
  if (open_session !== null) {
    throw new Refusal(
      "session_open",
      `Session ${open_session} of task ${id} is open. End it first: \`signalbox session end ${open_session} --exit cancelled\`.`,
    );
  }
}

function checkAwaiting(state: State, id: number): void {
  if (!requireTask(state, id).awaiting_acceptance) {
    throw new Refusal("not_possible", `Task ${id} does not wait to be accepted.`);
  }
}
