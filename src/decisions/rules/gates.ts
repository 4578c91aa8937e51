import { isRunnable } from "../../projections/board/gates.ts";
import type { Gate } from "../../projections/board/tables.ts";
import { type Final, whyFinal } from "../../projections/board/taking-back.ts";
import type { PlannedEvent } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import { requireTask, type State } from "../state.ts";

/**
 * The event that undoes the decision on a gate. @throws Refusal `not_found`, `nothing_to_do`,
 * `too_late`
 */
export function reopened(state: State, row: Gate): PlannedEvent<"gate.reopened"> {
  const { task_id: task, gate, approval, approval_position } = row;
  const name = namedGate({ task, gate });
  if (approval_position === null) {
    throw new Refusal(
      "nothing_to_do",
      `${name} was neither approved nor rejected; there is nothing to undo.`,
    );
  }
  const final = whyFinal(requireTask(state, task), approval_position, row);
  if (final)
    throw new Refusal(
      "too_late",
      `${name} was ${approval}, and it is too late to undo that: ${TOO_LATE[final]}.`,
    );
  return { type: "gate.reopened", payload: { task, gate } };
}

const TOO_LATE: Readonly<Record<Final, string>> = {
  task_done: "its task is done",
  gate_run: "its command has run",
  session_started: "a session of its task has started",
};

/** Why no agent decides on a gate: only a human decides which commands run (docs/gates.md). */
export const GATES_BY_HUMANS =
  "An agent cannot decide on a gate: only a human does that. Run `signalbox inbox` to see the " +
  "gates that are waiting.";

/**
 * A gate whose command may run now.
 *
 * @throws Refusal `not_found`; `not_possible`: the gate is escalated, skipped, aborted or waiting
 * for approval
 */
export function requireRunnable(
  state: State,
  { task, gate: number, session }: GateRef & { readonly session?: string | undefined },
): Gate {
  const gate = requireGate(state, task, number);
  if (session !== undefined && state.sessions.get(session)?.task_id !== task) {
    throw new Refusal("not_found", `Task ${task} has no session ${session}.`);
  }
  if (isRunnable(gate)) return gate;
  throw new Refusal(
    "not_possible",
    gate.approval === "waiting"
      ? `${namedGate({ task, gate: number })} was declared by an agent and does not run until a human ` +
          `approves it: \`signalbox gate approve ${task} ${number}\`.`
      : `${namedGate({ task, gate: number })} is ${gate.state} and does not run.`,
  );
}

/** @throws Refusal `not_found`: the task or the gate */
export function requireGate(state: State, task: number, number: number): Gate {
  requireTask(state, task);
  const gate = state.gates.get(task, number);
  if (!gate) throw new Refusal("not_found", `Task ${task} has no gate ${number}.`);
  return gate;
}

interface GateRef {
  readonly task: number;
  readonly gate: number;
}

/** The gate as the beginning of a sentence. */
export function namedGate({ task, gate }: GateRef): string {
  return `Gate ${gate} of task ${task}`;
}
