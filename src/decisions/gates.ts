import type { GateAction } from "../events/types/gates.ts";
import type { Gate } from "../projections/board/tables.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { requireTask, type State } from "./state.ts";

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
 * Records that a gate's command was run.
 *
 * @throws Refusal `not_found`; `not_possible`: an escalated, skipped or aborted gate is not run
 */
export function recordGateAttempt(input: GateAttempt): Decision<"gate.attempted"> {
  const { task, gate: number, session, timed_out = false, duration_ms = 0, stdout = "", stderr = "" } = input;
  return {
    type: "gate.attempted",
    input,
    plan(state) {
      requireRunnable(state, { task, gate: number, session });
      return [
        {
          type: "gate.attempted",
          ...(session !== undefined && { correlation: session }),
          payload: {
            task,
            gate: number,
            ...(session !== undefined && { session }),
            exit_code: input.exit_code,
            timed_out,
            duration_ms,
            stdout,
            stderr,
          },
        },
      ];
    },
  };
}

/**
 * A gate whose command may be run now.
 *
 * @throws Refusal `not_found`; `not_possible`: an escalated, skipped or aborted gate is not run
 */
export function requireRunnable(
  state: State,
  { task, gate: number, session }: Pick<GateAttempt, "task" | "gate" | "session">,
): Gate {
  const gate = requireGate(state, task, number);
  if (!RUNNABLE.has(gate.state)) {
    throw new Refusal("not_possible", `Gate ${number} of task ${task} is ${gate.state} and is not run.`);
  }
  if (session !== undefined && state.sessions.get(session)?.task_id !== task) {
    throw new Refusal("not_found", `There is no session ${session} of task ${task}.`);
  }
  return gate;
}

/** The states of a gate that is run when all gates of its task are. */
export const RUNNABLE: ReadonlySet<string> = new Set(["pending", "failed", "passed"]);

/** A human decides on an escalated gate. @throws Refusal `not_found`; `not_possible`: it is not escalated */
export function actOnGate(input: { task: number; gate: number; action: GateAction }): Decision<"gate.acted"> {
  return {
    type: "gate.acted",
    input,
    plan(state) {
      const gate = requireGate(state, input.task, input.gate);
      if (gate.state !== "escalated") {
        throw new Refusal(
          "not_possible",
          `Gate ${input.gate} of task ${input.task} is ${gate.state}; only an escalated one takes an action.`,
        );
      }
      return [{ type: "gate.acted", payload: input }];
    },
  };
}

function requireGate(state: State, task: number, number: number) {
  requireTask(state, task);
  const gate = state.gates.get(task, number);
  if (!gate) throw new Refusal("not_found", `Task ${task} has no gate ${number}.`);
  return gate;
}
