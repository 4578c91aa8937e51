import { eventAt } from "../../../events/event-at.ts";
import type { EventLog } from "../../../events/log.ts";
import type { ReadModel } from "../../../projections/read-model.ts";
import { ReadModelError } from "../../../projections/read-model-error.ts";
import { findMadeHistory, removeHistoryFile } from "./history-file.ts";
import { isDamage } from "./is-damage.ts";
import { PastReadModel } from "./past-read-model.ts";

/**
 * The read model as it was after the last event of a log, where the project's history is made up to there. Nothing is made, and nothing is
 * waited for.
 *
 * @param log the project's, or a prefix of it
 * @param warn is told, in a sentence, why a history is not used and removed
 * @returns for queries alone, which throw ReadModelError `damaged` where a row is not what was written; to be closed by the caller; undefined: nothing is made so far, or of another log, or it cannot be read
 */
export async function stateInHistory(
  readModelPath: string,
  log: EventLog,
  warn: (sentence: string) => void,
): Promise<ReadModel | undefined> {
  const path = findMadeHistory(readModelPath);
  if (path === undefined) return undefined;
  let past: PastReadModel | undefined;
  try {
    past = new PastReadModel(path, (why) => {
      removeHistoryFile({ path, isTemporary: false });
      return new ReadModelError(
        "damaged",
        `The history of the read model is damaged (${why}). It is removed: ask again, and the state is reduced from the log.`,
      );
    });
    past.stayAt(await log.head());
    if (await isUpTo(past, log)) return past;
  } catch (error) {
    if (isDamage(error)) {
      removeHistoryFile({ path, isTemporary: false });
      warn(`The history of the read model was not used, and is removed: ${error.message}.`);
    }
    // Else another process has just removed it, or it is not ours to read.
  }
  past?.close();
  return undefined;
}

/** Whether every projection is at the log's last event, and that is the one which the history knows there. */
async function isUpTo(past: PastReadModel, log: EventLog): Promise<boolean> {
  const position = await log.head();
  const leafHash = (await eventAt(log, position))?.leafHash ?? "";
  return past.checkpoints
    .list()
    .every((one) => one.position === position && one.state === "live" && one.leaf_hash === leafHash);
}
