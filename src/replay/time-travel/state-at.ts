import type { EventLog } from "../../events/log.ts";
import { REDACTIONS } from "../../events/types/redactions.ts";
import { ReadModel } from "../../projections/read-model.ts";
import { catchUp } from "../../projections/worker.ts";
import type { KeptStates } from "./kept-states.ts";
import { logUntil } from "./log-until.ts";
import type { Snapshots } from "./snapshots.ts";

/**
 * The read model as it was after the event at a position: the prefix of the log, reduced by the same reducers, in memory.
 * Nothing of the project is touched but its snapshots.
 *
 * @param position from 0 to the head of the log
 * @param kept where it may be, or where to begin from, and to leave the state if it took long to come to; absent: from the first event
 * @returns for queries alone, to be closed by the caller
 */
export async function stateAt(log: EventLog, position: number, kept?: KeptStates): Promise<ReadModel> {
  return (await kept?.inHistory?.(log, position)) ?? reducedAt(log, position, kept?.snapshots);
}

async function reducedAt(log: EventLog, position: number, snapshots?: Snapshots): Promise<ReadModel> {
  const prefix = logUntil(log, position);
  const redactions = await log.streamVersion(REDACTIONS);
  // Before the log is read, so that what is removed meanwhile (a redacted payload) comes to no snapshot.
  const unfinished = position < WORTH_A_SNAPSHOT ? undefined : snapshots?.begin(redactions);
  try {
    const before = await snapshots?.before(prefix, redactions);
    const readModel = await reducedTo(prefix, before?.readModel);
    if (position - (before?.position ?? 0) >= WORTH_A_SNAPSHOT) unfinished?.finish(readModel);
    return readModel;
  } finally {
    unfinished?.giveUp();
  }
}

/**
 * Brings a read model in memory to the head of a log.
 *
 * @param readModel of an earlier position; absent: from the first event
 */
export async function reducedTo(log: EventLog, readModel = new ReadModel(":memory:")): Promise<ReadModel> {
  await catchUp(readModel, log);
  return readModel;
}

/** So many events take long enough to be reduced that whoever asks again should not wait again. */
const WORTH_A_SNAPSHOT = 5_000;
