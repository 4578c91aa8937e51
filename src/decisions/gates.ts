import { resultFromElsewhere } from "../events/types/command-result.ts";
import { GATES_LIMIT } from "../events/types/fields.ts";
import type { GateAction, GateDeclaration } from "../events/types/gates.ts";
import { isRunnable } from "../projections/board/gates.ts";
import type { Gate } from "../projections/board/tables.ts";
import { type Final, whyFinal } from "../projections/board/taking-back.ts";
import type { Decision, PlannedEvent } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { refuseAgent } from "./refuse-agent.ts";
import { requireTask, type State } from "./state.ts";

/**
 * Adds gates to a task that is there. Those of an agent wait for a human's approval, and the task with them.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: no gate; `not_possible`: the task is done or skipped, or has too many
 */
export function declareGates(input: {
  task: number;
  gates: readonly GateDeclaration[];
}): Decision<"gate.declared"> {
  const { task: id, gates } = input;
  return {
    type: "gate.declared",
    input,
    plan(state) {
      const { status } = requireTask(state, id);
      if (gates.length === 0) throw new Refusal("nothing_to_do", "No gate was given.");
      if (status === "done" || status === "skipped") {
        throw new Refusal("not_possible", `Task ${id} is ${status}: no gate would be run any more.`);
      }
      const there = state.gates.where({ task_id: id }).length;
      if (there + gates.length > GATES_LIMIT) {
        throw new Refusal(
          "not_possible",
          `Task ${id} has ${there} gates; with ${gates.length} more it would have over ${GATES_LIMIT}.`,
        );
      }
      return gates.map((gate, index) => ({
        type: "gate.declared",
        payload: { task: id, gate: there + index + 1, ...gate },
      }));
    },
  };
}

/**
 * A human approves or rejects a gate that an agent declared, or all of a task that wait for that.
 *
 * @throws Refusal `not_found`; `already_decided`; `nothing_to_do`: none waits; `not_possible`: an agent asks for it
 */
export function decideOnGates(input: {
  task: number;
  /** Absent: all that wait. */
  gate?: number | undefined;
  approve: boolean;
}): Decision<"gate.approved" | "gate.rejected"> {
  const type = input.approve ? "gate.approved" : "gate.rejected";
  return {
    type,
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const waiting =
        input.gate === undefined ? waitingGates(state, input.task) : [waitingGate(state, input)];
      return waiting.map(({ gate }) => ({ type, payload: { task: input.task, gate } }));
    },
  };
}

/**
 * Takes back the approval or rejection of a gate, until its command is run or the next session of its task starts (rules.md,
 * Humans).
 *
 * @throws Refusal `not_found`; `nothing_to_do`: it waits, or nobody had to decide; `too_late`; `not_possible`: an agent asks
 *   for it
 */
export function reopenGate(input: { task: number; gate: number }): Decision<"gate.reopened"> {
  return {
    type: "gate.reopened",
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan: (state) => [reopened(state, requireGate(state, input.task, input.gate))],
  };
}

/** The event that takes back the decision on a gate. @throws Refusal `not_found`, `nothing_to_do`, `too_late` */
export function reopened(state: State, row: Gate): PlannedEvent<"gate.reopened"> {
  const { task_id: task, gate, approval, approval_position } = row;
  const name = named({ task, gate });
  if (approval_position === null) {
    throw new Refusal(
      "nothing_to_do",
      `${name} was neither approved nor rejected; there is nothing to take back.`,
    );
  }
  const final = whyFinal(requireTask(state, task), approval_position, row);
  if (final) throw new Refusal("too_late", `${name} was ${approval}, and ${TOO_LATE[final]} since.`);
  return { type: "gate.reopened", payload: { task, gate } };
}

const TOO_LATE: Readonly<Record<Final, string>> = {
  task_done: "its task is done",
  gate_run: "its command has been run",
  session_started: "a session of its task has started",
};

/** What is run is a human's to decide, whoever declared it (docs/gates.md). @throws Refusal `not_possible` */
export function checkNoAgent(actor: string): void {
  refuseAgent(
    actor,
    "An agent decides on no gate: that belongs to the human. Those that wait are in `signalbox inbox`.",
  );
}

/** What is known of an attempt that was run elsewhere. */
export interface GateAttempt {
  readonly task: number;
  readonly gate: number;
  readonly session?: string | undefined;
  readonly exit_code: number;
  readonly timed_out?: boolean | undefined;
  readonly duration_ms?: number | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

/**
 * Records that a gate's command was run, by whoever ran it.
 *
 * @throws Refusal `not_found`; `not_possible`: it is not to be run, or an agent says so
 */
export function recordGateAttempt(input: GateAttempt): Decision<"gate.attempted"> {
  const { task, gate: number, session } = input;
  return {
    type: "gate.attempted",
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const { command } = requireRunnable(state, { task, gate: number, session });
      return [
        {
          type: "gate.attempted",
          ...(session !== undefined && { correlation: session }),
          payload: {
            task,
            gate: number,
            ...(session !== undefined && { session }),
            command,
            ...resultFromElsewhere(input),
          },
        },
      ];
    },
  };
}

/**
 * A gate whose command may be run now.
 *
 * @throws Refusal `not_found`; `not_possible`: an escalated, skipped or aborted gate is not run, nor one that waits for
 *   approval
 */
export function requireRunnable(
  state: State,
  { task, gate: number, session }: Pick<GateAttempt, "task" | "gate" | "session">,
): Gate {
  const gate = requireGate(state, task, number);
  if (session !== undefined && state.sessions.get(session)?.task_id !== task) {
    throw new Refusal("not_found", `There is no session ${session} of task ${task}.`);
  }
  if (isRunnable(gate)) return gate;
  throw new Refusal(
    "not_possible",
    gate.approval === "waiting"
      ? `${named({ task, gate: number })} was declared by an agent and is not run before a human approves it: \`signalbox gate approve ${task} ${number}\`.`
      : `${named({ task, gate: number })} is ${gate.state} and is not run.`,
  );
}

/** A human decides on an escalated gate. @throws Refusal `not_found`; `not_possible`: it is not escalated, or an agent asks for it */
export function actOnGate(input: { task: number; gate: number; action: GateAction }): Decision<"gate.acted"> {
  return {
    type: "gate.acted",
    input,
    permit: (_, actor) => checkNoAgent(actor),
    plan(state) {
      const gate = requireGate(state, input.task, input.gate);
      if (gate.state !== "escalated") {
        throw new Refusal(
          "not_possible",
          `${named(input)} is ${gate.state}; only an escalated one takes an action.`,
        );
      }
      return [{ type: "gate.acted", payload: input }];
    },
  };
}

function requireGate(state: State, task: number, number: number): Gate {
  requireTask(state, task);
  const gate = state.gates.get(task, number);
  if (!gate) throw new Refusal("not_found", `Task ${task} has no gate ${number}.`);
  return gate;
}

function waitingGate(state: State, { task, gate: number = 0 }: { task: number; gate?: number | undefined }) {
  const gate = requireGate(state, task, number);
  if (gate.approval === "waiting") return gate;
  throw gate.approval === "unneeded"
    ? new Refusal(
        "nothing_to_do",
        `${named({ task, gate: number })} needs no approval: no agent declared it.`,
      )
    : new Refusal("already_decided", `${named({ task, gate: number })} is ${gate.approval} already.`);
}

function waitingGates(state: State, task: number): Gate[] {
  requireTask(state, task);
  const waiting = state.gates.where({ task_id: task, approval: "waiting" });
  if (waiting.length === 0) throw new Refusal("nothing_to_do", `No gate of task ${task} waits for approval.`);
  return waiting;
}

function named({ task, gate }: { task: number; gate: number }): string {
  return `Gate ${gate} of task ${task}`;
}
