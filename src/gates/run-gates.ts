import { constants } from "node:os";
import type { Config } from "../config/config.ts";
import { checkRunnable, RUNNABLE, recordGateAttempt } from "../decisions/gates.ts";
import { requireTask, stateOf } from "../decisions/state.ts";
import type { Project } from "../project.ts";
import type { Gate } from "../projections/board/tables.ts";
import { catchUp } from "../projections/worker.ts";
import { type CommandResult, passes } from "./runner/command-result.ts";
import { gateEnvironment } from "./runner/environment.ts";
import { outputText } from "./runner/output-text.ts";
import { runCommand } from "./runner/run-command.ts";
import { type LockOptions, withWorkspaceLock } from "./runner/workspace-lock.ts";

export interface GatesToRun {
  readonly task: number;
  /** Absent: all gates of the task that are pending, failed or passed, in their order. */
  readonly gate?: number | undefined;
  /** The session in whose course they are run. */
  readonly session?: string | undefined;
  /** The project's folder, in which the commands are run. */
  readonly folder: string;
  readonly config: Pick<Config, "gates">;
  /** Ends the command that is run; it is then no attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each gate. */
  readonly onStart?: ((gate: Gate) => void) | undefined;
  readonly onWait?: LockOptions["onWait"];
}

/** One run of a gate's command, and what the gate is now. */
export interface GateRun {
  readonly gate: number;
  readonly command: string;
  readonly passed: boolean;
  readonly state: Gate["state"];
  readonly result: CommandResult;
}

/**
 * Runs gates of a task one after the other, nobody else's in the same workspace meanwhile, and records each attempt
 * (rules.md, Verify gates). The last one may have been given up by `signal`; that one is not recorded.
 *
 * @throws Refusal `not_found`, `not_possible`, before anything is run; RunnerError: the command could not be started, which
 *   is no attempt
 */
export async function runGates(project: Project, wanted: GatesToRun): Promise<readonly GateRun[]> {
  const { task, session, folder, signal, onStart, onWait } = wanted;
  const { environment, isolation } = wanted.config.gates;
  const purpose = wanted.gate === undefined ? `gates of task ${task}` : `gate ${wanted.gate} of task ${task}`;
  await gatesOf(project, wanted);
  const runs: GateRun[] = [];
  await withWorkspaceLock(
    folder,
    async () => {
      // Somebody may have acted on them while another one had the workspace.
      for (const gate of await gatesOf(project, wanted)) {
        onStart?.(gate);
        const result = await runCommand({
          command: gate.command,
          folder,
          timeoutMs: gate.timeout_s * 1_000,
          environment: gateEnvironment(process.env, environment),
          isolation: isolation ? { network: false, readOnlyRoot: true } : "none",
          signal,
        });
        if (!result.aborted)
          await project.decide(recordGateAttempt(attemptOf({ task, session }, gate, result)));
        const [now] = await gatesWhere(project, task, gate.gate);
        const { command, gate: number } = gate;
        runs.push({ gate: number, command, passed: passes(result), state: now?.state ?? gate.state, result });
        if (result.aborted) break;
      }
    },
    { purpose, onWait, signal },
  );
  return runs;
}

/** @throws Refusal */
async function gatesOf(project: Project, { task, gate, session }: GatesToRun): Promise<Gate[]> {
  await catchUp(project.store.readModel, project.log);
  const state = stateOf(project.store.readModel);
  requireTask(state, task);
  if (gate !== undefined) checkRunnable(state, { task, gate, session });
  const gates = state.gates.where({ task_id: task }, (one) =>
    gate === undefined ? RUNNABLE.has(one.state) : one.gate === gate,
  );
  for (const one of gates) checkRunnable(state, { task, gate: one.gate, session });
  return gates;
}

async function gatesWhere(project: Project, task: number, gate: number): Promise<Gate[]> {
  await catchUp(project.store.readModel, project.log);
  return stateOf(project.store.readModel).gates.where({ task_id: task }, (one) => one.gate === gate);
}

function attemptOf(
  of: { readonly task: number; readonly session: string | undefined },
  { gate }: Gate,
  { exit_code, signal, timed_out, duration_ms, stdout, stderr, explanation }: CommandResult,
) {
  return {
    ...of,
    gate,
    // As a shell tells of a program that a signal ended.
    exit_code: exit_code ?? 128 + signalNumber(signal),
    timed_out,
    duration_ms,
    stdout: outputText(stdout),
    stderr: [outputText(stderr), explanation].filter(Boolean).join("\n"),
  };
}

/** 0 for a name that this system does not have. */
function signalNumber(name: string | null): number {
  return Object.entries(constants.signals).find(([known]) => known === name)?.[1] ?? 0;
}
