import { onTestFinished } from "vitest";
import type { EventLog } from "../../../src/events/log.ts";
import type { Clock } from "../given.ts";

/** An empty log, opened for one test. */
export interface OpenedLog {
  readonly log: EventLog;
  /** The clock of every handle. */
  readonly clock: Clock;
  /** A second handle on the same log; the first one where an implementation has only one. */
  another(): EventLog;
  /** The log after it was closed and opened again; the first one where it lives in its handle only. */
  reopen(): Promise<EventLog>;
  /** Closes every handle and removes what was stored. */
  dispose(): Promise<void>;
}

export type OpenLog = () => Promise<OpenedLog>;

/** Opens a log that is disposed of when the present test is finished. */
export async function openForTest(open: OpenLog): Promise<OpenedLog> {
  const opened = await open();
  onTestFinished(() => opened.dispose());
  return opened;
}

/** Opens a log for one run of a property. */
export async function withLog(open: OpenLog, use: (opened: OpenedLog) => Promise<void>): Promise<void> {
  const opened = await open();
  try {
    await use(opened);
  } finally {
    await opened.dispose();
  }
}
