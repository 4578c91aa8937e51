import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import {
  GATES_BY_HUMANS,
  namedGate,
  reopened,
  requireGate,
  requireRunnable,
} from "../decisions/rules/gates.ts";
import { noSuchTask, requireTask, type State, stateOf } from "../decisions/state.ts";
import { resultFromElsewhere } from "../events/types/command-result.ts";
import { GATES_LIMIT, gateNumber, sessionId, taskId } from "../events/types/fields.ts";
import { alwaysPassing } from "../events/types/gate-words.ts";
import { gateActed, gateActions, gateDeclaration, gateReopened } from "../events/types/gates.ts";
import { pc } from "../lib/terminal/output.ts";
import type { Gate } from "../projections/board/tables.ts";
import { type TaskDetails, taskDetails } from "../queries/tasks.ts";
import { byHumans } from "./by-humans.ts";
import { BadValue, takingFields } from "./command-words.ts";
import { became, commandLines, decidedGates } from "./decided-gates.ts";
import { gateLineFields, gateOptions, gatesAndCriteriaOf } from "./gate-fields.ts";
import { gateLines } from "./gate-lines.ts";
import { type AnyDone, defineOperation } from "./operation.ts";
import { defineReading } from "./reading.ts";
import { toApprove } from "./to-approve.ts";

const TASK = ["<task>", "the task's id"] as const;
const GATE = ["<gate>", "the gate's number, from 1"] as const;

const permit = byHumans(GATES_BY_HUMANS);

/** One gate of a task, or all that wait for approval. */
const someGates = z.strictObject({ task: taskId, gate: gateNumber.optional() });
const SOME_GATES = {
  task: TASK,
  gate: ["[gate]", "the gate's number, from 1; without it, all gates waiting for approval"],
} as const;

export const listGates = defineReading({
  input: z.strictObject({ task: taskId }),
  ask(readModel, { task }) {
    const details = taskDetails(readModel, task);
    if (!details) throw noSuchTask(stateOf(readModel), task);
    return details.gates;
  },
  command: {
    name: "list",
    does: "list the gates of a task with their full commands",
    takes: { task: TASK },
    example: "7",
    says: (gates) => (gates.length === 0 ? pc.dim("none") : gateLines(gates)),
  },
});

/**
 * Adds gates to an existing task. An agent's gates, and so the task, wait for a human's approval.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: no gate; `not_possible`: the task is done or
 * skipped, or has too many
 */
export const declareGates = defineOperation({
  type: "gate.declared",
  input: z.strictObject({ task: taskId, gates: z.array(gateDeclaration) }),
  plan({ task: id, gates }, state) {
    const { status } = requireTask(state, id);
    if (gates.length === 0) throw new Refusal("nothing_to_do", "No gate was given.");
    if (status === "done" || status === "skipped") {
      throw new Refusal("not_possible", `Task ${id} is ${status}, so its gates no longer run.`);
    }
    const there = state.gates.where({ task_id: id }).length;
    if (there + gates.length > GATES_LIMIT) {
      throw new Refusal(
        "not_possible",
        `Task ${id} has ${there} gates; ${gates.length} more would exceed the limit of ${GATES_LIMIT}.`,
      );
    }
    return gates.map((gate, index) => ({
      type: "gate.declared",
      payload: { task: id, gate: there + index + 1, ...gate },
    }));
  },
  answer({ input, events, readModel }): Added {
    const details = taskDetails(readModel, input.task);
    return { task: input.task, details, gates: details?.gates.slice(-events.length) ?? [] };
  },
  command: takingFields(
    z.strictObject({ task: taskId, ...gateLineFields }),
    ({ task, ...given }) => {
      const { gates, criteria } = gatesAndCriteriaOf(given);
      if (criteria.length === 0) return { task, gates };
      throw new BadValue(`a criterion is not a gate; add it with \`signalbox task set ${task} --criterion\``);
    },
    {
      name: "add",
      does: "add gates to a task; gates added by an agent need your approval",
      takes: { task: TASK, ...gateOptions },
      example: "7 --verify 'npm run lint'",
      json({ task, details, gates }: Added) {
        return { task, status: details?.status, ready: details?.ready, gates };
      },
      says: ({ task, details, gates }: Added) => [
        ...commandLines(task, gates),
        ...alwaysPassing(gates),
        ...toApprove(details),
      ],
    },
  ),
});

interface Added {
  readonly task: number;
  readonly details: TaskDetails | undefined;
  readonly gates: TaskDetails["gates"];
}

/**
 * A human approves or rejects an agent's gate, or all gates of a task that wait for approval.
 *
 * @throws Refusal `not_found`; `already_decided`; `nothing_to_do`: none waits; `not_possible`: the
 * caller is an agent
 */
export const decideOnGates = defineOperation({
  type: "gate.approved",
  or: ["gate.rejected"],
  input: someGates.extend({ approve: z.boolean() }),
  permit,
  plan({ approve, ...some }, state) {
    const type = approve ? "gate.approved" : "gate.rejected";
    return waitingGates(state, some).map((gate) => ({ type, payload: { task: some.task, gate } }));
  },
  answer: decidedGates,
  command: [
    {
      name: "approve",
      does: "approve a gate that an agent declared, or all such gates of a task",
      takes: SOME_GATES,
      sets: { approve: true },
      example: "7 2",
      says: became("gate.approved"),
    },
    takingFields(
      someGates.extend({ all: z.boolean().optional() }),
      ({ all, ...some }) => {
        // A rejected gate counts as passed: rejecting all of them needs an explicit option.
        if ((some.gate === undefined) !== (all === true)) throw new BadValue("name one gate, or give --all");
        return { ...some, approve: false };
      },
      {
        name: "reject",
        does: "reject a gate that an agent declared: it is skipped and never run",
        takes: { all: ["--all", "every gate of the task that waits for approval"], ...SOME_GATES },
        example: "7 2",
        says: became("gate.rejected"),
      },
    ),
  ],
});

/** The numbers of the waiting gates. */
function waitingGates(state: State, { task, gate: number }: z.input<typeof someGates>): number[] {
  if (number !== undefined) return [waitingGate(requireGate(state, task, number))];
  requireTask(state, task);
  const gates = state.gates.where({ task_id: task, approval: "waiting" });
  if (gates.length === 0)
    throw new Refusal("nothing_to_do", `No gate of task ${task} is waiting for approval.`);
  return gates.map(({ gate }) => gate);
}

function waitingGate({ task_id: task, gate, approval }: Gate): number {
  if (approval === "waiting") return gate;
  const name = namedGate({ task, gate });
  throw approval === "unneeded"
    ? new Refusal("nothing_to_do", `${name} needs no approval: no agent declared it.`)
    : new Refusal("already_decided", `${name} is ${approval} already.`);
}

/**
 * Undoes the approval or rejection of a gate, until its command runs or the task's next session
 * starts (docs/rules.md, Humans).
 *
 * @throws Refusal `not_found`; `nothing_to_do`: it waits, or needed no decision; `too_late`;
 * `not_possible`: the caller is an agent
 */
export const reopenGate = defineOperation({
  type: "gate.reopened",
  input: gateReopened.payload,
  permit,
  plan: ({ task, gate }, state) => [reopened(state, requireGate(state, task, gate))],
  answer: decidedGates,
  command: {
    name: "undo",
    does: "undo the approval or rejection of a gate, until it runs or the next session starts",
    takes: { task: TASK, gate: GATE },
    example: "7 2",
    says: became("gate.reopened"),
  },
});

/** The known facts of an attempt that was run elsewhere. */
export type GateAttempt = z.input<typeof attempt>;

const attempt = z.strictObject({
  task: taskId,
  gate: gateNumber,
  session: sessionId.optional(),
  exit_code: z.int().min(0).max(255),
  timed_out: z.boolean().optional(),
  duration_ms: z.int().min(0).optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
});

/**
 * Records a gate run that was made elsewhere.
 *
 * @throws Refusal `not_found`; `not_possible`: it must not run, or the caller is an agent
 */
export const recordGateAttempt = defineOperation({
  type: "gate.attempted",
  input: attempt,
  permit,
  plan(input, state) {
    const { task, gate, session } = input;
    const { command } = requireRunnable(state, input);
    const inSession = session !== undefined && { session };
    const payload = { task, gate, ...inSession, command, ...resultFromElsewhere(input) };
    return [{ type: "gate.attempted", ...(session !== undefined && { correlation: session }), payload }];
  },
  answer: gateNow,
  command: {
    name: "record",
    does: "record the result of a gate's command that ran outside signalbox",
    actor: "driver",
    takes: {
      task: TASK,
      gate: GATE,
      exit_code: ["--exit-code <n>", "the command's exit code", { parse: parseExitCode }],
      session: ["--session <id>", "the session in which it ran"],
      timed_out: ["--timed-out", "it timed out"],
      stdout: ["--stdout <text>", "its stdout"],
      stderr: ["--stderr <text>", "its stderr"],
    },
    example: "7 1 --exit-code 1 --stderr '1 failing'",
    says: isNowLine,
  },
});

function parseExitCode(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new BadValue("It must be from 0 to 255.");
}

/**
 * A human decides on an escalated gate. @throws Refusal `not_found`; `not_possible`: it is not
 * escalated, or the caller is an agent
 */
export const actOnGate = defineOperation({
  type: "gate.acted",
  input: gateActed.payload,
  permit,
  plan(input, state) {
    const { state: is } = requireGate(state, input.task, input.gate);
    if (is === "escalated") return [{ type: "gate.acted", payload: input }];
    throw new Refusal(
      "not_possible",
      `${namedGate(input)} is ${is}; only an escalated gate can be retried, skipped or aborted.`,
    );
  },
  answer: gateNow,
  command: {
    name: "act",
    does:
      "decide on an escalated gate: retry (attempts restart at 0), skip (counts as passed), abort " +
      "(the task fails)",
    takes: {
      task: TASK,
      gate: GATE,
      action: ["<action>", gateActions.join(", "), { must: `It must be one of ${gateActions.join(", ")}.` }],
    },
    example: "7 1 skip",
    says: isNowLine,
  },
});

interface GateRef {
  readonly task: number;
  readonly gate: number;
}

/** A gate's state, and its task's status. */
function gateNow({ input, readModel }: Pick<AnyDone<GateRef>, "input" | "readModel">) {
  const details = taskDetails(readModel, input.task);
  const gate = details?.gates.find(({ gate }) => gate === input.gate);
  return { task: input.task, status: details?.status, ...gate };
}

function isNowLine({ state, status }: Partial<ReturnType<typeof gateNow>>, of: GateRef): string {
  return `${namedGate(of)} is ${state}; the task is ${status}.`;
}
