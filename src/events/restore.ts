import { isEventId } from "../lib/ids.ts";
import { LogError } from "../lib/log-error.ts";
import { isIsoTime } from "../lib/time.ts";
import type { LogState } from "./append.ts";
import { decodeEvent, encodeEvent, storedDefinition } from "./encoding.ts";
import type { NewEvent } from "./event.ts";
import type { EventRecord } from "./event-record.ts";
import { leafHash } from "./leaf-hash.ts";
import { BATCH_LIMIT } from "./log.ts";
import { withRestoredRedactions } from "./redaction/restored.ts";

/**
 * Checks the records of a restore before looking at the log: each matches its leaf hash, and the
 * payload of a known type that was not redacted is valid.
 *
 * @throws LogError `invalid_event`: the position and the fault; `newer_schema`
 */
export function checkRecords(records: readonly EventRecord[]): void {
  if (records.length > BATCH_LIMIT && !records.some(({ redaction }) => redaction)) {
    throw new LogError("invalid_event", `At most ${BATCH_LIMIT} events can be restored at once. Split them.`);
  }
  for (const record of records) checkRecord(record);
}

/**
 * Plans a restore: the records after the log's head, each at its old position. Records that the log
 * already has must be identical. Writes nothing.
 *
 * @throws LogError `history_differs`: with the position; `invalid_event`: a gap, an impossible
 * time, or a duplicate id
 */
export function planRestore(records: readonly EventRecord[], state: LogState): readonly EventRecord[] {
  const last = state.last();
  if (last) storedDefinition(last);
  const head = last?.position ?? 0;
  for (const record of records) if (record.position <= head) checkSame(record, state.find(record.id));
  const insert = withRestoredRedactions(
    records.filter(({ position }) => position > head),
    state,
  );
  const versions = new Map<string, number>();
  let before = { position: head, recordedAt: last?.recordedAt ?? "" };
  for (const record of insert) {
    const version = (versions.get(record.stream) ?? state.streamVersion(record.stream)) + 1;
    checkPlace(record, before, version, state);
    if (record.redaction) checkContent(record);
    versions.set(record.stream, version);
    before = record;
  }
  if (new Set(insert.map(({ id }) => id)).size < insert.length) {
    throw new LogError("invalid_event", "Two of the events to be restored have the same id.");
  }
  return insert;
}

const SALT_BYTES = 16;

function checkRecord(record: EventRecord): void {
  const wrong = (what: string) => new LogError("invalid_event", `Position ${record.position}: ${what}.`);
  if (!isEventId(record.id)) throw wrong("its id is not a lower-case UUID");
  if (!isIsoTime(record.recordedAt)) throw wrong("its time is invalid");
  if (!record.redaction && record.salt.length !== SALT_BYTES)
    throw wrong(`its salt does not have ${SALT_BYTES} bytes`);
  if (!leafHash(record).equals(record.leafHash)) {
    throw wrong("its leaf hash does not match its content, so it was changed");
  }
  // `kept` of an event without payload is known once its redaction was found.
  if (record.redaction) storedDefinition(record);
  else checkContent(record);
}

function checkContent(record: EventRecord): void {
  // What only another program knows has its leaf hash alone to be checked by.
  if (!storedDefinition(record)) return;
  const { type, actor, causation, correlation, payload } = decodeEvent(record);
  const event = {
    type,
    actor,
    payload,
    ...(causation !== undefined && { causation }),
    ...(correlation !== undefined && { correlation }),
  };
  if (streamAt(record.position, event) !== record.stream) {
    throw new LogError(
      "invalid_event",
      `Position ${record.position}: a ${type} with this payload does not belong to stream ` +
        `${record.stream}.`,
    );
  }
}

function streamAt(position: number, event: NewEvent): string {
  try {
    return encodeEvent(event, true).stream;
  } catch (cause) {
    if (!(cause instanceof LogError) || cause.code !== "invalid_event") throw cause;
    throw new LogError("invalid_event", `Position ${position}: ${cause.message}`, { cause });
  }
}

function checkSame(record: EventRecord, there: EventRecord | undefined): void {
  if (there?.position === record.position && there.leafHash.equals(record.leafHash)) return;
  throw new LogError(
    "history_differs",
    `Position ${record.position} already holds an event in this log, which is not the ` +
      `${record.type} to be restored there. Restore these events only into the log they come from, or ` +
      "a shorter copy of it.",
  );
}

function checkPlace(
  record: EventRecord,
  before: Pick<EventRecord, "position" | "recordedAt">,
  version: number,
  state: LogState,
): void {
  const { position, stream, streamVersion, recordedAt, id } = record;
  const wrong = (what: string) => new LogError("invalid_event", `Position ${position}: ${what}.`);
  if (position !== before.position + 1) throw wrong(`position ${before.position + 1} must come first`);
  if (streamVersion !== version)
    throw wrong(`it is version ${streamVersion} of stream ${stream}, and ${version} must come first`);
  if (recordedAt <= before.recordedAt) throw wrong("its time is not after the time of the event before");
  if (state.find(id)) throw wrong(`an earlier event has its id ${id}`);
}
