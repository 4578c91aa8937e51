import type { EventLog } from "../../events/log.ts";
import { ReadModel } from "../../read-model/read-model.ts";
import { UNNAMED_FILE } from "../../read-model/read-model-file.ts";
import type { RebuildProgress } from "../../read-model/rebuild-runs.ts";
import { catchUp } from "../../read-model/worker.ts";
import { openHistory } from "./history/history.ts";
import { findMadeHistory, headOfHistory, removeSnapshots } from "./history/history-file.ts";
import { makeToHead } from "./history/make-to-head.ts";
import { stateInHistory } from "./history/state-in-history.ts";
import { logUntil } from "./log-until.ts";

/** The history of a project, with callbacks for how a state is reached. */
export interface Cache {
  /** `.ralph/db/ralph.db`; the history is in `.ralph/history`. */
  readonly readModelPath: string;
  /** Gets a sentence if a history cannot be used. */
  warn(sentence: string): void;
  /** Gets the progress of a long reduction. */
  onProgress?: OnProgress | undefined;
}

/** `isFromNothing`: no history could be used, so every event up to the point is reduced. */
export type OnProgress = (progress: RebuildProgress & { readonly isFromNothing: boolean }) => void;

/**
 * The read model after the event at a position. Comes from the project's history, which is extended
 * if it ends a little before the position. Otherwise reduces the prefix of the log into a file that
 * disappears with this process.
 *
 * @param position from 0 to the head of the log
 * @param cache absent: every event is reduced
 * @returns for queries only; the caller closes it
 */
export async function stateAt(log: EventLog, position: number, cache?: Cache): Promise<ReadModel> {
  return (cache && (await cachedAt(log, position, cache))) ?? reducedAt(log, position, cache?.onProgress);
}

async function cachedAt(log: EventLog, position: number, cache: Cache): Promise<ReadModel | undefined> {
  const { readModelPath, warn, onProgress } = cache;
  removeSnapshots(readModelPath);
  await advanceTo(log, readModelPath, position, (progress) =>
    onProgress?.({ ...progress, isFromNothing: false }),
  );
  return stateInHistory(readModelPath, log, position, warn);
}

async function reducedAt(log: EventLog, position: number, onProgress?: OnProgress): Promise<ReadModel> {
  const readModel = new ReadModel(UNNAMED_FILE);
  const telling = readModel.rebuilding.subscribe((progress) =>
    onProgress?.({ ...progress, isFromNothing: true }),
  );
  try {
    await catchUp(readModel, logUntil(log, position));
    return readModel;
  } catch (error) {
    readModel.close();
    throw error;
  } finally {
    telling.unsubscribe();
  }
}

/**
 * Extends a project's history up to a position, if that is less work than reducing every event
 * before it. Does nothing if there is no history, or it cannot be written.
 */
async function advanceTo(
  log: EventLog,
  readModelPath: string,
  position: number,
  onProgress: (progress: RebuildProgress) => void,
): Promise<void> {
  try {
    const path = findMadeHistory(readModelPath);
    const made = path === undefined ? 0 : headOfHistory(path);
    if (made === 0 || made >= position || (position - made) * COST > position) return;
    await make(log, readModelPath, { from: made, to: position }, onProgress);
  } catch {
    // The next reader of the history reports the fault.
  }
}

/** How many times longer it takes to add an event to a history than to reduce it. */
const COST = 5;

async function make(
  log: EventLog,
  readModelPath: string,
  { from, to }: { readonly from: number; readonly to: number },
  onProgress: (progress: RebuildProgress) => void,
): Promise<void> {
  const history = openHistory(log, readModelPath);
  try {
    if (!history.isKept) return;
    for await (const { position } of makeToHead(history, { max_ms: TURN_MS })) {
      onProgress({ position: Math.min(position, to), head: to });
      // Shorter than before: it is being rebuilt, which takes too long to wait for.
      if (position >= to || position < from) return;
    }
  } finally {
    history.close();
  }
}

const TURN_MS = 100;
