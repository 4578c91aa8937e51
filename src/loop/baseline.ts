import { runGates } from "../gates/run-gates.ts";
import { runFolderBeside } from "../lib/project-folder.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Claim } from "./claim.ts";
import type { Surroundings } from "./surroundings.ts";
import { isOfGates, whileOpen } from "./while-open.ts";

/**
 * Runs the gates of a session's task before its agent works, to know which ones failed already
 * (docs/gates.md). Limited to the time of a session; if it fails for any reason, the session goes
 * on without it.
 *
 * @returns why the agent must not start: the loop ends, or the session was ended; undefined: it may
 * start
 * @throws LogError, ReadModelError
 */
export async function takeBaseline(
  claim: Claim,
  surroundings: Surroundings,
): Promise<Stop | "taken" | undefined> {
  return await whileOpen(claim, surroundings, (signal) => runAll(claim, surroundings, signal));
}

async function runAll(
  { session, task: { id: task }, workspace }: Claim,
  { project, readModelPath, config, tell }: Surroundings,
  signal: AbortSignal,
): Promise<void> {
  try {
    const runs = await runGates(project, {
      ...{ task, session, config, signal, baseline: true },
      folder: workspace.folder,
      runFolder: runFolderBeside(readModelPath),
      onStart: ({ gate, command }) => tell({ step: "baseline_started", session, task, gate, command }),
    });
    const failed = runs.filter(({ passed }) => !passed).map(({ gate }) => gate);
    if (runs.length > 0) tell({ step: "baseline_ended", session, task, failed, problem: null });
  } catch (error) {
    // Aborted while others used the workspace: nothing had begun.
    if (signal.aborted && error === signal.reason) return;
    if (!isOfGates(error)) throw error;
    tell({ step: "baseline_ended", session, task, failed: [], problem: error.message });
  }
}
