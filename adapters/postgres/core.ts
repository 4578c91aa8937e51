/** The ports of the log on PostgreSQL: what it takes from the core. */

export { Acknowledged } from "../../src/events/acknowledged.ts";
export {
  AppendedRecords,
  type AppendRequest,
  appendedBefore,
  headMoved,
  type LogState,
  moved,
  planAppend,
  prepareAppend,
  streamMoved,
} from "../../src/events/append.ts";
export type { AuditedLog, RawLeaf, RawRow } from "../../src/events/audit.ts";
export { decodeEvent, decodeFields } from "../../src/events/encoding.ts";
export type { EventRecord } from "../../src/events/event-record.ts";
export { followByPages } from "../../src/events/follow-by-pages.ts";
export { KnownHistory } from "../../src/events/known-history.ts";
export { type LeafFields, leafHash, leafHashInHex, payloadHash } from "../../src/events/leaf-hash.ts";
export {
  type Appended,
  BATCH_LIMIT,
  type EventLog,
  type HostBeats,
  type HostSign,
  type LogIdentity,
  pageSize,
} from "../../src/events/log.ts";
export { PROGRAM_LEVEL } from "../../src/events/program-level.ts";
export { redactionIn, withKept } from "../../src/events/redaction/redact.ts";
export { checkRecords, planRestore } from "../../src/events/restore.ts";
export { tagsOf } from "../../src/events/tags.ts";
export type { Event } from "../../src/events/types/index.ts";
export { REDACTION_TYPE } from "../../src/events/types/redactions.ts";
export type { Environment } from "../../src/lib/environment.ts";
export { idToBytes, isEventId } from "../../src/lib/ids.ts";
export { InFlight } from "../../src/lib/in-flight.ts";
export { LogError } from "../../src/lib/log-error.ts";
export { whenPatienceEnds } from "../../src/lib/patience.ts";
export { platform } from "../../src/lib/platform/here.ts";
export { exactFromIsoTime, exactToIsoTime, toIsoTime } from "../../src/lib/time.ts";
export { ToldError } from "../../src/lib/told-error.ts";
export { turns } from "../../src/lib/turns.ts";
