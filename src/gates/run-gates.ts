import { constants } from "node:os";
import type { Config } from "../config/config.ts";
import { RUNNABLE, recordGateAttempt, requireRunnable } from "../decisions/gates.ts";
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
        const { command, gate: number } = gate;
        const now = stateOf(project.store.readModel).gates.get(task, number);
        runs.push({ gate: number, command, passed: passes(result), state: now?.state ?? gate.state, result });
        if (result.aborted) break;
      }
    },
    { purpose, onWait, signal },
  );
  return runs;
}

/** The gates that are meant, as of the head of the log. @throws Refusal */
async function gatesOf({ store, log }: Project, { task, gate, session }: GatesToRun): Promise<Gate[]> {
  await catchUp(store.readModel, log);
  const state = stateOf(store.readModel);
  requireTask(state, task);
  const runnable = state.gates.where({ task_id: task }, ({ state: is }) => RUNNABLE.has(is));
  const numbers = gate === undefined ? runnable.map((one) => one.gate) : [gate];
  return numbers.map((number) => requireRunnable(state, { task, gate: number, session }));
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
