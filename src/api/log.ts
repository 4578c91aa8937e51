/**
 * The port that an event log is behind, and the logs there are. `logContract` of `signalbox/testing` tests a log of your own.
 *
 * Unstable until several machines can share one log: the port will get `records`, `rows`, `facts` and `identity`, and another append
 * condition. Expect to change an implementation of your own with a minor version.
 *
 * @module signalbox/log
 */
export { replayEnvironment, systemEnvironment } from "../decisions/system-environment.ts";
export type { Environment } from "../events/environment.ts";
export type { NewEvent, StoredEvent } from "../events/event.ts";
export type { EventRecord } from "../events/event-record.ts";
export { type AppendCondition, type Appended, BATCH_LIMIT, type EventLog } from "../events/log.ts";
export { LogError, type LogErrorCode } from "../events/log-error.ts";
export { openMemoryLog } from "../events/memory-log.ts";
export { createLogFile } from "../events/sqlite-file.ts";
export { openSqliteLog } from "../events/sqlite-log.ts";
