import type { TaskStatus } from "../../events/types/fields.ts";
import type { PlannedEvent } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import { requireTask, type State } from "../state.ts";

/** Any status, while no session of the task is open (docs/rules.md, Humans). @throws Refusal `not_found`, `session_open` */
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
