import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { decide } from "../decisions/decide.ts";
import { endGateRun, startGateRun } from "../decisions/gate-runs.ts";
import { requireRunnable } from "../decisions/gates.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { requireOutsideGates } from "../decisions/outside-gates.ts";
import { requireTask, stateOf } from "../decisions/state.ts";
import type { Store } from "../decisions/store.ts";
import { passes, type RecordedResult } from "../events/types/command-result.ts";
import type { Event } from "../events/types/index.ts";
import { identityOf } from "../processes/identity.ts";
import { isRunnable } from "../projections/board/gates.ts";
import type { Gate } from "../projections/board/tables.ts";
import { catchUp } from "../projections/worker.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { gateCommand } from "./gate-command.ts";
import { interruptedRun, recordInterrupted } from "./interrupted.ts";
import { RUNNER } from "./runner/family.ts";
import type { Progress } from "./runner/output.ts";
import { runCommand } from "./runner/run-command.ts";
import { type LockOptions, withWorkspaceLock } from "./runner/workspace-lock.ts";

/** Who has gates run: a project is one. */
export interface GateRunner {
  readonly store: Store;
  /** As the log names them. */
  readonly actor: string;
}

export interface GatesToRun {
  readonly task: number;
  /** Absent: all gates of the task that can be run, in their order. */
  readonly gate?: number | undefined;
  /** The session in whose course they are run. */
  readonly session?: string | undefined;
  /** The position of the `done` that they are to bear out. */
  readonly claim?: number | undefined;
  /** Where the commands are run: the project's folder, or one in it. */
  readonly folder: string;
  /** The project's `.ralph/run`, where the workspace's lock lies. */
  readonly runFolder?: string | undefined;
  readonly config: Pick<Config, "gates">;
  /** True: before the session's work. The runs are no attempts, and change nothing of the gates. */
  readonly baseline?: boolean | undefined;
  /** True: a gate that has passed on the files as they are now is not run again. */
  readonly keepPasses?: boolean | undefined;
  /** Ends the command that is run; its run is then recorded as interrupted, and no other one is begun. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each gate that is run. */
  readonly onStart?: ((gate: Gate) => void) | undefined;
  /** Called with every piece of output of the gate that is run, which is often. */
  readonly onProgress?: ((gate: Gate, progress: Progress) => void) | undefined;
  readonly onWait?: LockOptions["onWait"];
  /** Called after each gate, also one whose pass was kept. */
  readonly onEnd?: ((run: GateRun) => void) | undefined;
}

/** One gate, what it is now, and what its command came to. */
export interface GateRun {
  readonly gate: number;
  readonly command: string;
  readonly passed: boolean;
  readonly state: Gate["state"];
  readonly attempts: number;
  readonly max_attempts: number;
  /** Absent for a pass that was kept: it was not run. */
  readonly result?: RecordedResult;
  /** Of a pass that was kept: the fingerprint of the files that it counts for. */
  readonly workspace?: string | undefined;
}

/**
 * Runs gates of a task one after the other, nobody else's in the same workspace meanwhile, and records each run when it
 * begins and when it has ended (docs/rules.md, Verify gates).
 *
 * @throws Refusal `not_found`, `not_possible`, `in_gate`, before anything is run; RunnerError: the command could not be started, which
 *   is no attempt; what `signal` was aborted with, where nothing had begun
 */
export async function runGates(runner: GateRunner, wanted: GatesToRun): Promise<readonly GateRun[]> {
  const { folder, runFolder, signal, onWait } = wanted;
  const { store } = runner;
  const of = `of task ${wanted.task}`;
  const purpose = wanted.gate === undefined ? `gates ${of}` : `gate ${wanted.gate} ${of}`;
  await gatesOf(store, wanted);
  // Else it would wait for the workspace that its own runner has.
  requireOutsideGates(store.readModel);
  const done: GateRun[] = [];
  const work = async () => {
    const workspace = openWorkspace(folder, mkdtempSync(join(tmpdir(), "signalbox-")), []);
    try {
      await recordInterrupted(store);
      // Somebody may have acted on them while another one had the workspace.
      for (const gate of await gatesOf(store, wanted)) {
        done.push(await runOne(runner, wanted, gate, workspace));
        if (done.at(-1)?.result?.interrupted) return;
      }
      if (wanted.keepPasses && done.every(({ passed }) => passed))
        await runBroken(runner, wanted, done, workspace);
    } finally {
      workspace.close();
    }
  };
  await withWorkspaceLock(folder, work, { runFolder, purpose, onWait, signal });
  return done;
}

/**
 * A gate may change files on which one before it has passed. Each of those is run once more; what a gate has changed itself does
 * not count against it.
 */
async function runBroken(
  runner: GateRunner,
  wanted: GatesToRun,
  done: GateRun[],
  workspace: Workspace,
): Promise<void> {
  let now = (await workspace.look(wanted.signal))?.fingerprint;
  for (const [index, run] of done.entries()) {
    const left = run.result ? run.result.workspace_after : run.workspace;
    if (now === undefined || now === left) continue;
    const [gate] = await gatesOf(runner.store, { ...wanted, gate: run.gate });
    if (!gate) continue;
    const again = await runOne(runner, { ...wanted, keepPasses: false }, gate, workspace);
    done[index] = again;
    if (again.result?.interrupted) return;
    now = again.result?.workspace_after;
  }
}

async function runOne(
  runner: GateRunner,
  wanted: GatesToRun,
  gate: Gate,
  workspace: Workspace,
): Promise<GateRun> {
  const { store } = runner;
  const before = (await workspace.look(wanted.signal))?.fingerprint;
  if (wanted.keepPasses && passedOn(gate, before))
    return ended(wanted, { ...viewOf(gate), passed: true, workspace: before });
  wanted.onStart?.(gate);
  let start: Event<"gate.started"> | undefined;
  const result = await runCommand({
    ...gateCommand(gate, wanted),
    signal: wanted.signal,
    beforeStart: async () => {
      start = await recordStart(runner, wanted, gate);
    },
    onProgress: wanted.onProgress && ((progress) => wanted.onProgress?.(gate, progress)),
  }).catch(async (error: unknown) => {
    // What was announced ends, also where its shell could not be started after all.
    if (start)
      await endGateRun(store, start, interruptedRun(error instanceof Error ? error.message : String(error)));
    throw error;
  });
  const after = (await workspace.look(wanted.signal))?.fingerprint;
  const recorded = {
    ...result,
    ...(before !== undefined && { workspace_before: before }),
    ...(after !== undefined && { workspace_after: after }),
  };
  // Where somebody took this process for dead, what they recorded is what counts.
  const end = start ? (await endGateRun(store, start, recorded)).payload : recorded;
  await catchUp(store.readModel, store.log);
  const now = stateOf(store.readModel).gates.get(wanted.task, gate.gate) ?? gate;
  return ended(wanted, { ...viewOf(now), passed: passes(end), result: end });
}

function ended({ onEnd }: GatesToRun, run: GateRun): GateRun {
  onEnd?.(run);
  return run;
}

async function recordStart(
  { store, actor }: GateRunner,
  { task, session, claim, baseline = false }: GatesToRun,
  { gate }: Gate,
): Promise<Event<"gate.started"> | undefined> {
  const { host, pid, began, pid_namespace } = identityOf(process.pid);
  const self = {
    ...{ host, pid, mark: RUNNER },
    ...(began !== undefined && { began }),
    ...(pid_namespace !== undefined && { pid_namespace }),
  };
  const [start] = await decide(
    store,
    startGateRun({ task, gate, ...givenFields({ session, claim }), baseline, runner: self }),
    { actor },
  );
  return start?.type === "gate.started" ? start : undefined;
}

/** A pass counts for the files that it was run on; where they are not known, for none. */
function passedOn({ state, last_workspace }: Gate, workspace: string | undefined): boolean {
  return state === "passed" && workspace !== undefined && last_workspace === workspace;
}

function viewOf({ gate, command, state, attempts, max_attempts }: Gate) {
  return { gate, command, state, attempts, max_attempts };
}

/** The gates that are meant, as of the head of the log. @throws Refusal */
async function gatesOf(
  { readModel, log }: Store,
  { task, gate, session }: Pick<GatesToRun, "task" | "gate" | "session">,
): Promise<Gate[]> {
  await catchUp(readModel, log);
  const state = stateOf(readModel);
  requireTask(state, task);
  const numbers =
    gate === undefined ? state.gates.where({ task_id: task }, isRunnable).map((one) => one.gate) : [gate];
  return numbers.map((number) => requireRunnable(state, { task, gate: number, session }));
}
