import type { LogState } from "./append.ts";
import type { EventRecord } from "./event-record.ts";

/** A call that waits for its turn to write: an append, or a restoring. */
export interface Waiting {
  /** The id of its first event; undefined where it has none. */
  readonly first: string | undefined;
  /**
   * What it puts into the log, and how its caller is answered when that is durable.
   *
   * @param anyMayBeThere after a failure of the disk: every event may be there, also those that were new
   */
  plan(state: LogState, anyMayBeThere: boolean): Planned;
  reject(error: unknown): void;
}

interface Planned {
  readonly insert: readonly EventRecord[];
  answer(): void;
}
