import { runnersAround } from "../decisions/gate-mark.ts";
import { endGateRun } from "../decisions/gate-runs.ts";
import type { Store } from "../decisions/store.ts";
import { eventAt } from "../events/event-at.ts";
import { LogError } from "../events/log-error.ts";
import {
  EXPLANATION_LIMIT,
  type LeftBehind,
  type RecordedResult,
  textAsOutput,
} from "../events/types/command-result.ts";
import { shorten } from "../lib/shorten.ts";
import { runs } from "../processes/identity.ts";
import { openGateRuns, runnerIn } from "../projections/queries/gate-runs.ts";
import { ReadModelError } from "../projections/read-model-error.ts";
import { catchUp, isOutdated } from "../projections/worker.ts";
import { endProcesses } from "./runner/end-processes.ts";
import { orphansOf } from "./runner/family.ts";

/**
 * Records the runs of gates whose runner has died as interrupted, and ends what they have left running. A
 * run whose runner is on another machine, or may live, is left alone, and so is one that this process is a part of.
 *
 * Whoever opens the log calls this, readers too: it is the one thing that opening appends, since nobody else is there to say
 * it (docs/decisions/0026); only `serve --read-only` does not. Where the log cannot be written to, the next one does it.
 *
 * @returns how many were recorded
 */
export async function recordInterrupted(store: Store): Promise<number> {
  const { log, readModel } = store;
  try {
    // Nobody waits for a rebuild to be told what may be so; who makes it anew comes by here, too.
    if (await isOutdated(readModel, log)) return 0;
    await catchUp(readModel, log);
  } catch (error) {
    // Who needs the read model is told by what needs it; a listing of the log or a rebuild does not.
    if (error instanceof ReadModelError || error instanceof LogError) return 0;
    throw error;
  }
  const dead = deadRuns(readModel);
  for (const { id, mark } of dead) {
    const start = await eventAt(log, id);
    if (start?.type !== "gate.started") continue;
    const left_behind = await endProcesses(() => orphansOf(mark));
    try {
      await endGateRun(store, start, interruptedRun(DIED, left_behind));
    } catch (error) {
      if (error instanceof LogError && (error.code === "disk" || error.code === "busy")) return 0;
      throw error;
    }
  }
  if (dead.length > 0) await catchUp(readModel, log);
  return dead.length;
}

/**
 * The same for a process that reduces nothing unless it needs an answer: it looks at the rows as they are, which the keeper of the
 * read model keeps fresh (docs/decisions/0041).
 */
export async function recordInterruptedIfShown(store: Store): Promise<number> {
  const { readModel } = store;
  const isReadable = readModel.stale().length === 0;
  return isReadable && deadRuns(readModel).length > 0 ? recordInterrupted(store) : 0;
}

/** Runs whose runner is known to have died. */
function deadRuns(readModel: Store["readModel"]): { id: number; mark: string }[] {
  const around = runnersAround();
  return openGateRuns(readModel).flatMap(({ id, runner }) => {
    const process = runner === null ? undefined : runnerIn(runner);
    // Whoever is a part of a run knows that it goes on, whatever can be seen of its runner from here.
    if (!process || around.has(process.mark)) return [];
    return runs(process) === false ? [{ id, mark: process.mark }] : [];
  });
}

/** The runs whose runner is known to live, by the positions at which they began. */
export function livingRuns(readModel: Store["readModel"]): number[] {
  return openGateRuns(readModel).flatMap(({ id, runner }) => {
    return runner !== null && runs(runnerIn(runner)) === true ? [id] : [];
  });
}

const DIED = "Its runner died before it finished.";

/** The end of a run of which nothing is known but that it was not brought to its end. */
export function interruptedRun(explanation: string, left_behind: readonly LeftBehind[] = []): RecordedResult {
  return {
    exit_code: null,
    signal: null,
    timed_out: false,
    interrupted: true,
    duration_ms: 0,
    stdout: textAsOutput(""),
    stderr: textAsOutput(""),
    explanation: shorten(explanation, EXPLANATION_LIMIT),
    left_behind: [...left_behind],
  };
}
