import { runnersAround } from "../decisions/gate-mark.ts";
import { endGateRun } from "../decisions/rules/gate-runs.ts";
import type { Store } from "../decisions/store.ts";
import { eventAt } from "../events/event-at.ts";
import {
  EXPLANATION_LIMIT,
  type LeftBehind,
  type RecordedResult,
  textAsOutput,
} from "../events/types/command-result.ts";
import { LogError } from "../lib/log-error.ts";
import { runs } from "../lib/processes/identity.ts";
import { shorten } from "../lib/shorten.ts";
import { openGateRuns, runnerIn } from "../queries/gate-runs.ts";
import { isLost } from "../queries/hosts.ts";
import { ReadModelError } from "../read-model/read-model-error.ts";
import { catchUp, isOutdated } from "../read-model/worker.ts";
import { endProcesses } from "./runner/end-processes.ts";
import { orphansOf } from "./runner/family.ts";

/**
 * Records the gate runs of dead runners as interrupted, and kills their leftover processes; also those
 * of lost hosts, whose processes are out of reach. Skips a run whose runner is on another machine or may
 * be alive, and one that contains this process.
 *
 * Called whenever the log is opened, even for reading: the only append on opening, since no one
 * else would record it (docs/decisions/0026); only `serve --read-only` skips it. If the log is not
 * writable, the next opener does it.
 *
 * @returns the number of recorded runs
 */
export async function recordInterrupted(store: Store): Promise<number> {
  const { log, readModel } = store;
  try {
    // Only a hint, so it does not wait for a rebuild; the process that rebuilds calls this too.
    if (await isOutdated(readModel, log)) return 0;
    await catchUp(readModel, log);
  } catch (error) {
    // Commands that need the read model report its errors; a listing of the log or a rebuild need
    // not.
    if (error instanceof ReadModelError || error instanceof LogError) return 0;
    throw error;
  }
  const dead = deadRuns(store);
  if (dead.length === 0 || !(await isKnown(store))) return 0;
  for (const { id, mark, why } of dead) {
    const start = await eventAt(log, id);
    if (start?.type !== "gate.started") continue;
    const left_behind = await endProcesses(() => orphansOf(mark));
    try {
      await endGateRun(store, start, interruptedRun(why, left_behind));
    } catch (error) {
      if (error instanceof LogError && (error.code === "disk" || error.code === "busy")) return 0;
      throw error;
    }
  }
  await catchUp(readModel, log);
  return dead.length;
}

/** What a log from elsewhere says of processes ends none here. */
async function isKnown({ guard, log }: Store): Promise<boolean> {
  try {
    return !guard || (await guard.standing(log)) === "known";
  } catch (error) {
    if (error instanceof LogError) return false;
    throw error;
  }
}

/**
 * The same for a process that reduces only on demand: reads the tables as they are, kept fresh by
 * the keeper (docs/decisions/0041).
 */
export async function recordInterruptedIfShown(store: Store): Promise<number> {
  const isReadable = store.readModel.stale().length === 0;
  return isReadable && deadRuns(store).length > 0 ? recordInterrupted(store) : 0;
}

interface DeadRun {
  readonly id: number;
  readonly mark: string;
  readonly why: string;
}

/** Runs whose runner is known to be dead, or was on a host that is lost. */
function deadRuns({ log, readModel, ownHost }: Store): DeadRun[] {
  const around = runnersAround();
  return openGateRuns(readModel).flatMap(({ id, host, runner }) => {
    const process = runner === null ? undefined : runnerIn(runner);
    // A process inside a run knows that the run goes on, even if its runner is not visible from
    // here.
    if (!process || around.has(process.mark)) return [];
    const { mark } = process;
    if (isLost(readModel, host, id)) return [{ id, mark, why: LOST }];
    // Names of machines and numbers of processes repeat on other hosts.
    if (log.hosts && host !== ownHost?.().host) return [];
    return runs(process) === false ? [{ id, mark, why: DIED }] : [];
  });
}

/** The runs whose runner is known to be alive, by start position. */
export function livingRuns(readModel: Store["readModel"]): number[] {
  return openGateRuns(readModel).flatMap(({ id, runner }) => {
    return runner !== null && runs(runnerIn(runner)) === true ? [id] : [];
  });
}

const DIED = "Its runner died before it finished.";
const LOST = "Its host was declared lost before it finished.";

/** The end of a run of which only its interruption is known. */
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
