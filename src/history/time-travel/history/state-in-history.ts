import { eventAt } from "../../../events/event-at.ts";
import { eventsOfStream } from "../../../events/events-by-page.ts";
import type { EventLog } from "../../../events/log.ts";
import { REDACTION_TYPE, REDACTIONS } from "../../../events/types/redactions.ts";
import type { ReadModel } from "../../../read-model/read-model.ts";
import { ReadModelError } from "../../../read-model/read-model-error.ts";
import { isDamage } from "./damage.ts";
import { findMadeHistory, removeHistoryFile } from "./history-file.ts";
import { PastReadModel } from "./past-read-model.ts";

/**
 * The read model after an event, if the project's history covers it. Never builds or waits.
 *
 * @param log the whole log of the project: an event may have been redacted since
 * @param warn gets a sentence if a history cannot be used
 * @returns for queries only, whose errors go through `asHistoryError`; the caller closes it.
 * Undefined: the history is too short, of another log, or unreadable
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
    // Otherwise another process has just removed it, or there is no permission to read it.
    if (isDamage(error)) why = error.message;
  }
  past?.close();
  if (why !== undefined) {
    const end = remove(path) ? ", and is removed" : "; let its owner remove .ralph/history";
    warn(`The history of the read model was not used${end}: ${why}.`);
  }
  return undefined;
}

/**
 * Converts the error of a failed query: if the file is damaged, removes it. Returns any other error
 * unchanged.
 */
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

/** Whether the log has the event that the history has at a position. */
async function isOfLog(past: PastReadModel, log: EventLog, position: number): Promise<boolean> {
  return (await eventAt(log, position))?.leafHash === past.leafHashAt(position);
}

function isLive(past: PastReadModel): boolean {
  return past.checkpoints.list().every(({ state }) => state === "live");
}

/**
 * False if an event was redacted after it was reduced: the redacting process may have been killed
 * before it removed the history.
 */
export async function isClean(past: PastReadModel, log: EventLog): Promise<boolean> {
  for await (const event of eventsOfStream(log, REDACTIONS)) {
    if (event.type === REDACTION_TYPE && past.hasUnredacted(event.payload.position)) return false;
  }
  return true;
}

/** @returns false if it belongs to another user */
function remove(path: string): boolean {
  try {
    removeHistoryFile({ path, isTemporary: false });
    return true;
  } catch {
    return false;
  }
}
