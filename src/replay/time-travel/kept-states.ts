import type { EventLog } from "../../events/log.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { stateInHistory } from "./history/state-in-history.ts";
import { openSnapshots, type Snapshots } from "./snapshots.ts";

/** What a project keeps of its past states, so that they need not be reduced again. */
export interface KeptStates {
  readonly snapshots: Snapshots;
  /** The state after the event at a position of the log, where the history has it. To be closed by the caller. */
  inHistory?(log: EventLog, position: number): Promise<ReadModel | undefined>;
}

/**
 * @param readModelPath `.ralph/db/ralph.db`
 * @param warn is told, in a sentence, what is not used and why
 */
export function openKeptStates(readModelPath: string, warn: (sentence: string) => void): KeptStates {
  return {
    snapshots: openSnapshots(readModelPath, warn),
    inHistory: (log, position) => stateInHistory(readModelPath, log, position, warn),
  };
}
