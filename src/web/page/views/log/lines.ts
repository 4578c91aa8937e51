import type { EventLine } from "../../../server/answers/log.ts";

/** The lines of a list of events, the newest first. */
export interface Lines {
  readonly count: number;
  /** Undefined where it is not read yet. */
  positionAt(index: number): number | undefined;
  lineAt(index: number): EventLine | undefined;
  /** How many came that are not in the list, since the reader is not at its top. */
  readonly unseen: number;
  /** The position down to which was looked, while there is more to look at. */
  readonly lookedTo: number | undefined;
  /** False until the first ones are there. */
  readonly isRead: boolean;
  readonly error: Error | undefined;
}
