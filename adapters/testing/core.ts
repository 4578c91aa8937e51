/** The ports of what the package gives to tests: what that takes from the core. */

export { Project, type ProjectOptions, projectionsOf } from "../../src/api/project.ts";
export type { Decision } from "../../src/decisions/decide.ts";
export { Refusal, type RefusalCode } from "../../src/decisions/refusal.ts";
export { replayEnvironment } from "../../src/decisions/system-environment.ts";
export type { NewEvent } from "../../src/events/event.ts";
export type { EventRecord } from "../../src/events/event-record.ts";
export { leafHash } from "../../src/events/leaf-hash.ts";
export { type AppendCondition, type Appended, BATCH_LIMIT, type EventLog } from "../../src/events/log.ts";
export { openMemoryLog } from "../../src/events/memory-log.ts";
export { copyRecords } from "../../src/events/record-pages.ts";
export { withoutTexts } from "../../src/events/redaction/without-texts.ts";
export { type Draft, definitionOf, type Event, eventDefinitions } from "../../src/events/types/index.ts";
export { verifyLog } from "../../src/history/audit/verify-log.ts";
export type { Environment } from "../../src/lib/environment.ts";
export { LogError } from "../../src/lib/log-error.ts";
export { fromIsoTime, toIsoTime } from "../../src/lib/time.ts";
export { createGeneral } from "../../src/operations/general.ts";
export { ReadModel } from "../../src/read-model/read-model.ts";
