import type { LogState } from "./append.ts";
import type { EventRecord } from "./event-record.ts";

/** A queued write: an append or a restore. */
export interface Waiting {
  /** The id of its first event; undefined if it has none. */
  readonly first: string | undefined;
  /**
   * Plans its records, and the answer to its caller once they are durable.
   *
   * @param anyMayBeThere after a disk failure, when each event may already be in the log, even a new one
   */
  plan(state: LogState, anyMayBeThere: boolean): Planned;
  reject(error: unknown): void;
}

interface Planned {
  readonly insert: readonly EventRecord[];
  answer(): void;
}
