import { type Environment, type EventLog, replayEnvironment } from "../core.ts";

/**
 * Opens an empty log for one case. Call `environment` once for each handle: the environments share
 * the clock of the case, and each gives ids of its own.
 */
export type OpenLog = (environment: () => Environment) => Promise<OpenedLog>;

/** An empty log, opened for one case. */
export interface OpenedLog {
  readonly log: EventLog;
  /** Opens another handle on the same log, or returns the first one if there can be only one. */
  another(): Promise<EventLog>;
  /** Closes every handle and opens the log again; returns `log` if closing it loses its events. */
  reopen(): Promise<EventLog>;
  /** Closes every handle, though it may be closed already, and removes the stored events. */
  dispose(): Promise<void>;
}

/** The log that a case works with. */
export interface GivenLog extends OpenedLog {
  /** The clock of every handle. */
  readonly clock: Clock;
}

/** A clock that moves only when a case sets it: microseconds since 1970. */
export interface Clock {
  now: number;
}

/** 2026-02-11T10:23:15Z in microseconds. */
export const NOON = Date.UTC(2026, 1, 11, 10, 23, 15) * 1_000;

/** Opens a log at NOON, uses it, and disposes of it even if the use fails. */
export async function withLog(open: OpenLog, use: (given: GivenLog) => Promise<void>): Promise<void> {
  const clock = { now: NOON };
  let handles = 0;
  const opened = await open(() => replayEnvironment(`handle ${handles++}`, () => clock.now));
  try {
    await use({ ...opened, clock });
  } finally {
    await opened.dispose();
  }
}
