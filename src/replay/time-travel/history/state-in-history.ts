import { eventAt } from "../../../events/event-at.ts";
import { eventsOfStream } from "../../../events/events-by-page.ts";
import type { EventLog } from "../../../events/log.ts";
import { REDACTION_TYPE, REDACTIONS } from "../../../events/types/redactions.ts";
import type { ReadModel } from "../../../projections/read-model.ts";
import { ReadModelError } from "../../../projections/read-model-error.ts";
import { isDamage } from "./damage.ts";
import { findMadeHistory, removeHistoryFile } from "./history-file.ts";
import { PastReadModel } from "./past-read-model.ts";

/**
 * The read model as it was after an event, where the project's history is made up to there. Nothing is made, and nothing is waited for.
 *
 * @param log the whole log of the project: an event may have been redacted since
 * @param warn is told, in a sentence, why a history is not used
 * @returns for queries alone, whose errors are to be told by `asHistoryError`; to be closed by the caller. Undefined: nothing is made so
 * far, or of another log, or it cannot be read
 */
export async function stateInHistory(
  readModelPath: string,
  log: EventLog,
  position: number,
  warn: (sentence: string) => void,
): Promise<ReadModel | undefined> {
  const path = findMadeHistory(readModelPath);
  if (path === undefined) return undefined;
  let past: PastReadModel | undefined;
  let why: string | undefined;
  try {
    past = new PastReadModel(path, true);
    const head = past.stayAt(position);
    if (!(await isOfLog(past, log, Math.min(head, position)))) warn(OF_ANOTHER_LOG);
    else if (!(await isClean(past, log))) why = "an event was redacted since";
    else if (head >= position && isLive(past)) return past;
  } catch (error) {
    // Else another process has just removed it, or it is not ours to read.
    if (isDamage(error)) why = error.message;
  }
  past?.close();
  if (why !== undefined) {
    const end = remove(path) ? ", and is removed" : "; let its owner remove .ralph/history";
    warn(`The history of the read model was not used${end}: ${why}.`);
  }
  return undefined;
}

/** What is told where a query of such a state fails: if its file is damaged, that is removed. Any other error is given back. */
export function asHistoryError(error: unknown, readModel: ReadModel): unknown {
  if (!(readModel instanceof PastReadModel) || !isDamage(error)) return error;
  const { message } = error.cause instanceof Error ? error.cause : error;
  const then = remove(readModel.path)
    ? "It was removed: run the command again to replay the log instead."
    : "Let its owner remove .ralph/history.";
  return new ReadModelError("damaged", `The history of the read model is damaged (${message}). ${then}`);
}

const OF_ANOTHER_LOG =
  "The history of the read model was not used: it belongs to another log. Build it again with `signalbox history make`.";

/** Whether the log has the event at a position that the history knows there. */
async function isOfLog(past: PastReadModel, log: EventLog, position: number): Promise<boolean> {
  return (await eventAt(log, position))?.leafHash === past.leafHashAt(position);
}

function isLive(past: PastReadModel): boolean {
  return past.checkpoints.list().every(({ state }) => state === "live");
}

/** Whether nothing in it was redacted after it was reduced: who redacted may have been killed before the history was dropped. */
export async function isClean(past: PastReadModel, log: EventLog): Promise<boolean> {
  for await (const event of eventsOfStream(log, REDACTIONS)) {
    if (event.type === REDACTION_TYPE && past.hasUnredacted(event.payload.position)) return false;
  }
  return true;
}

/** @returns false where it is somebody else's */
function remove(path: string): boolean {
  try {
    removeHistoryFile({ path, isTemporary: false });
    return true;
  } catch {
    return false;
  }
}
