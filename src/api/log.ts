/**
 * The port that an event log is behind, and the logs there are. `logContract` of `signalbox/testing` tests a log of your own.
 *
 * Unstable: expect to change an implementation of your own with a minor version. `auditRecords` is the `audit` of a log that stores
 * nothing but its records.
 *
 * @module signalbox/log
 */

export { replayEnvironment, systemEnvironment } from "../decisions/system-environment.ts";
export type { AuditedLog, RawLeaf, RawRow } from "../events/audit.ts";
export { auditRecords } from "../events/audit-records.ts";
export type { NewEvent, StoredEvent } from "../events/event.ts";
export type { EventRecord } from "../events/event-record.ts";
export {
  type AppendCondition,
  type Appended,
  BATCH_LIMIT,
  type EventLog,
  type LogIdentity,
} from "../events/log.ts";
export { openMemoryLog } from "../events/memory-log.ts";
export { createLogFile } from "../events/sqlite-file.ts";
export { openSqliteLog } from "../events/sqlite-log.ts";
export type { Environment } from "../lib/environment.ts";
export { LogError, type LogErrorCode } from "../lib/log-error.ts";
