import { filter, map, merge, Subject, take, takeUntil, timer } from "rxjs";
import { Refusal } from "../decisions/refusal.ts";
import { runGates } from "../gates/run-gates.ts";
import { RunnerError } from "../gates/runner/runner-error.ts";
import { runFolderBeside } from "../lib/project-folder.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Claim } from "./claim.ts";
import type { Surroundings } from "./surroundings.ts";

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
  const giveUp = new AbortController();
  const over = new Subject<void>();
  let stopped: Stop | "taken" | undefined;
  endings(claim, surroundings)
    .pipe(take(1), takeUntil(over))
    .subscribe((ending) => {
      if (ending !== "time") stopped = ending;
      giveUp.abort();
    });
  try {
    await runAll(claim, surroundings, giveUp.signal);
  } finally {
    over.next();
  }
  return stopped;
}

function endings({ session, position }: Claim, { project, config, cancel }: Surroundings) {
  return merge(
    cancel,
    timer(config.limits.session_s * 1_000).pipe(map(() => "time" as const)),
    project.follow(position).pipe(
      filter(({ type, correlation }) => type === "session.ended" && correlation === session),
      map(() => "taken" as const),
    ),
  );
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

/** Errors that only mean that gates cannot run, including system errors of a folder or lock. */
function isOfGates(error: unknown): error is Error {
  return (
    error instanceof RunnerError || error instanceof Refusal || (error instanceof Error && "syscall" in error)
  );
}
