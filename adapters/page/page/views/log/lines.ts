import type { EventLine } from "../../../server/answers/log.ts";

/** The lines of a list of events, the newest first. */
export interface Lines {
  readonly count: number;
  /** Undefined until loaded. */
  positionAt(index: number): number | undefined;
  lineAt(index: number): EventLine | undefined;
  /** New events that are not in the list, because the reader has scrolled down. */
  readonly unseen: number;
  /** The position to which the search has come, while it is incomplete. */
  readonly searchedTo: number | undefined;
  /** False until the first lines are loaded. */
  readonly isRead: boolean;
  readonly error: Error | undefined;
}
