import type { Config } from "../config/config.ts";
import { decide } from "../decisions/decide.ts";
import { givenFields } from "../decisions/given-fields.ts";
import { requireOutsideGates } from "../decisions/outside-gates.ts";
import { endGateRun, startGateRun } from "../decisions/rules/gate-runs.ts";
import { requireRunnable } from "../decisions/rules/gates.ts";
import { requireTask, stateOf } from "../decisions/state.ts";
import type { Store } from "../decisions/store.ts";
import { passes, type RecordedResult } from "../events/types/command-result.ts";
import type { Event } from "../events/types/index.ts";
import { errorMessage } from "../lib/error-message.ts";
import { identityOf } from "../lib/processes/identity.ts";
import { isRunnable } from "../projections/board/gates.ts";
import type { Gate } from "../projections/board/tables.ts";
import { catchUp } from "../read-model/worker.ts";
import { type Workspace, withWorkspace } from "../workspace/workspace.ts";
import { gateCommand } from "./gate-command.ts";
import { interruptedRun, recordInterrupted } from "./interrupted.ts";
import { RUNNER } from "./runner/family.ts";
import type { Progress } from "./runner/output.ts";
import { runCommand } from "./runner/run-command.ts";
import { type LockOptions, withWorkspaceLock } from "./runner/workspace-lock.ts";

/** The caller's project. */
export interface GateRunner {
  readonly store: Store;
  /** As the log names them. */
  readonly actor: string;
}

export interface GatesToRun {
  readonly task: number;
  /** Absent: all of the task's gates that can run, in order. */
  readonly gate?: number | undefined;
  /** The session during which they run. */
  readonly session?: string | undefined;
  /** The position of the `done` that they verify. */
  readonly claim?: number | undefined;
  /** The working folder of the commands: the project's, or one in it. */
  readonly folder: string;
  /** The project's `.ralph/run`, which contains the workspace's lock. */
  readonly runFolder?: string | undefined;
  readonly config: Pick<Config, "gates" | "log">;
  /** True: before the session's work. The runs are no attempts, and do not change the gates. */
  readonly baseline?: boolean | undefined;
  /** True: skips a gate that passed on the current files. */
  readonly keepPasses?: boolean | undefined;
  /** Aborts the running command; its run is recorded as interrupted, and no other one starts. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each gate that is run. */
  readonly onStart?: ((gate: Gate) => void) | undefined;
  /** Called with every piece of output of the running gate, which is often. */
  readonly onProgress?: ((gate: Gate, progress: Progress) => void) | undefined;
  readonly onWait?: LockOptions["onWait"];
  /** Called after each gate, also after a reused pass. */
  readonly onEnd?: ((run: GateRun) => void) | undefined;
}

/** A gate, its new state, and its command's result. */
export interface GateRun {
  readonly gate: number;
  readonly command: string;
  readonly passed: boolean;
  readonly state: Gate["state"];
  readonly attempts: number;
  readonly max_attempts: number;
  /** Absent for a reused pass: it did not run. */
  readonly result?: RecordedResult;
  /** For a reused pass: the fingerprint of its files. */
  readonly workspace?: string | undefined;
}

/**
 * Runs gates of a task one after another, with exclusive use of the workspace, and records the
 * start and end of each run (docs/rules.md, Verify gates).
 *
 * @throws Refusal `not_found`, `not_possible`, `in_gate`, before any run; RunnerError: the command
 * could not start, which is not an attempt; the abort reason of `signal`, if nothing had begun
 */
export async function runGates(runner: GateRunner, wanted: GatesToRun): Promise<readonly GateRun[]> {
  const { folder, runFolder, signal, onWait } = wanted;
  const { store } = runner;
  const of = `of task ${wanted.task}`;
  const purpose = wanted.gate === undefined ? `gates ${of}` : `gate ${wanted.gate} ${of}`;
  await gatesOf(store, wanted);
  // Otherwise it would wait for the workspace that its own runner holds.
  requireOutsideGates(store.readModel);
  const done: GateRun[] = [];
  const work = async (workspace: Workspace) => {
    await recordInterrupted(store);
    // A human may have acted on them while another process held the workspace.
    for (const gate of await gatesOf(store, wanted)) {
      done.push(await runOne(runner, wanted, gate, workspace));
      if (done.at(-1)?.result?.interrupted) return;
    }
    if (wanted.keepPasses && done.every(({ passed }) => passed))
      await runBroken(runner, wanted, done, workspace);
  };
  await withWorkspaceLock(folder, () => withWorkspace(folder, {}, work), {
    runFolder,
    purpose,
    onWait,
    signal,
  });
  return done;
}

/**
 * A gate may change files on which an earlier gate has passed. Each of those runs once more; a
 * gate's own changes do not count against it.
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
    // A recorded start needs an end, even if the shell could not start.
    if (start) await endGateRun(store, start, interruptedRun(errorMessage(error)));
    throw error;
  });
  const after = (await workspace.look(wanted.signal))?.fingerprint;
  const recorded = {
    ...result,
    ...(before !== undefined && { workspace_before: before }),
    ...(after !== undefined && { workspace_after: after }),
  };
  // If another process took this one for dead, its recorded end counts.
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
    startGateRun({
      ...{ task, gate, baseline, runner: self },
      ...givenFields({ session, claim, host: store.ownHost?.().host }),
    }),
    { actor },
  );
  return start?.type === "gate.started" ? start : undefined;
}

/** A pass is valid for its files only; if they are unknown, for none. */
function passedOn({ state, last_workspace }: Gate, workspace: string | undefined): boolean {
  return state === "passed" && workspace !== undefined && last_workspace === workspace;
}

function viewOf({ gate, command, state, attempts, max_attempts }: Gate) {
  return { gate, command, state, attempts, max_attempts };
}

/** The requested gates, as of the head of the log. @throws Refusal */
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
