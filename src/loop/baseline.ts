import { worktreesOf } from "../config/schema.ts";
import { stateOf } from "../decisions/state.ts";
import { passes, type RecordedResult, resultFromElsewhere } from "../events/types/command-result.ts";
import { gateCommand } from "../gates/gate-command.ts";
import { runGates } from "../gates/run-gates.ts";
import { runCommand } from "../gates/runner/run-command.ts";
import { runFolderBeside } from "../lib/project-folder.ts";
import { isRunnable, lacksProgram } from "../projections/board/gates.ts";
import { baselineOn, gateRunsOf } from "../queries/gate-runs.ts";
import { catchUp } from "../read-model/worker.ts";
import { baseBranch } from "../workspace/branches.ts";
import { git, isOfGit } from "../workspace/git.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Claim } from "./claim.ts";
import { rootOf } from "./merge/commit-work.ts";
import { inCopy } from "./merge/copy.ts";
import { SetupError } from "./merge/setup.ts";
import type { Surroundings } from "./surroundings.ts";
import { isOfGates, whileOpen } from "./while-open.ts";

/**
 * Runs the gates of a session's task without its work, to know which ones fail then (docs/gates.md, Baseline): with worktrees on the
 * base of the task, once for each gate; else in the folder, before its agent works. Limited to the time of a session; if it fails
 * for any reason, the session goes on without it.
 *
 * @returns why the agent must not start: the loop ends, or the session was ended; undefined: it may
 * start
 * @throws LogError, ReadModelError
 */
export async function takeBaseline(
  claim: Claim,
  surroundings: Surroundings,
): Promise<Stop | "taken" | undefined> {
  const { session, task } = claim;
  const { config, tell } = surroundings;
  const run = worktreesOf(config) ? runOnBase : runInFolder;
  const ended = (failed: readonly number[], problem: string | null) =>
    tell({ step: "baseline_ended", session, task: task.id, failed, problem });
  let isAborted = false;
  const stopped = await whileOpen(claim, surroundings, async (signal) => {
    try {
      const runs = await run(claim, surroundings, signal);
      const failed = runs.filter(({ passed }) => !passed).map(({ gate }) => gate);
      if (runs.length > 0) ended(failed, null);
    } catch (error) {
      // Aborted: what was not finished says nothing.
      isAborted = signal.aborted && error === signal.reason;
      if (isAborted) return;
      if (!isOfCopy(error)) throw error;
      ended([], error.message);
    }
  });
  if (isAborted && stopped === undefined) ended([], "the time of a session was over before they had run");
  return stopped;
}

/** Errors that only mean that gates cannot run, in a copy or at all. */
export function isOfCopy(error: unknown): error is Error {
  return isOfGates(error) || isOfGit(error) || error instanceof SetupError;
}

interface Ran {
  readonly gate: number;
  readonly passed: boolean;
}

async function runInFolder(
  { session, task: { id: task }, workspace }: Claim,
  { project, readModelPath, config, tell }: Surroundings,
  signal: AbortSignal,
): Promise<readonly Ran[]> {
  return await runGates(project, {
    ...{ task, session, config, signal, baseline: true },
    folder: workspace.folder,
    runFolder: runFolderBeside(readModelPath),
    onStart: ({ gate, command }) => tell({ step: "baseline_started", session, task, gate, command }),
  });
}

/** Each gate that has not run on the base of its task; one that ran there for another task is not run again. */
async function runOnBase(
  claim: Claim,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<readonly Ran[]> {
  const { session, task: of, workspace } = claim;
  const { project, readModelPath, config, tell } = surroundings;
  const { readModel, log } = project.store;
  const task = of.id;
  const recorded = baseOf(surroundings, task);
  const gates = stateOf(readModel).gates.where({ task_id: task }, isRunnable);
  const missing = gates.filter(
    ({ gate }) => !gateRunsOf(readModel, { task, gate }, "baseline").some((run) => run.base !== null),
  );
  if (missing.length === 0) return [];
  const head = (await git(workspace.folder, ["rev-parse", "HEAD^{commit}"])).trim();
  const isFirst = stateOf(readModel).tasks.get(task)?.sessions === 1;
  const base = recorded ?? (isFirst ? head : await forkOf(surroundings, head));
  const runs: Ran[] = [];
  const runIn = async (folder?: string) => {
    await catchUp(readModel, log);
    for (const { gate, command, timeout_s } of missing) {
      if (runs.some((run) => run.gate === gate)) continue;
      let result = repeated(baselineOn(readModel, { base, command }));
      if (!result && folder !== undefined) {
        tell({ step: "baseline_started", session, task, gate, command });
        const where = { folder, runFolder: runFolderBeside(readModelPath), config };
        result = await runCommand({ ...gateCommand({ command, timeout_s }, where), signal });
        // An aborted run says nothing about the base.
        signal.throwIfAborted();
      }
      if (!result) continue;
      const payload = { task, gate, session, command, base, ...result };
      await log.append([{ type: "gate.baselined", actor: project.actor, correlation: session, payload }]);
      runs.push({ gate, passed: passes(result) });
    }
    await catchUp(readModel, log);
  };
  await runIn();
  const preparing = { project, readModelPath, config, task, signal, tell };
  if (runs.length < missing.length) await inCopy("base", base, preparing, ({ folder }) => runIn(folder));
  return runs;
}

/** The result of an earlier run on the same base; undefined where it says nothing about that. */
function repeated(
  run: ReturnType<typeof baselineOn>,
): (RecordedResult & { readonly repeats?: number }) | undefined {
  if (!run || lacksProgram(run)) return undefined;
  const { id: repeats, ...end } = run;
  return { ...resultFromElsewhere({ exit_code: 0 }), ...end, repeats };
}

/** The commit on which the gates of a task ran without its work; undefined if none did. */
export function baseOf({ project }: Pick<Surroundings, "project">, task: number): string | undefined {
  const { readModel } = project.store;
  const gates = stateOf(readModel).gates.where({ task_id: task });
  const runs = gates.flatMap(({ gate }) => gateRunsOf(readModel, { task, gate }, "baseline"));
  return runs.find(({ base }) => base !== null)?.base ?? undefined;
}

/** What a commit of a task's branch has in common with the branch into which it is merged. @throws GitError */
export async function forkOf(
  { readModelPath, config }: Pick<Surroundings, "readModelPath" | "config">,
  commit: string,
): Promise<string> {
  const root = rootOf(readModelPath);
  const base = await baseBranch(root, worktreesOf(config)?.base);
  return (await git(root, ["merge-base", `refs/heads/${base}`, commit])).trim();
}
