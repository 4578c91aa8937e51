import type { Environment } from "../lib/environment.ts";
import { LogError } from "../lib/log-error.ts";
import { fromIsoTime, type Microseconds, timesFrom } from "../lib/time.ts";
import { decodeEvent, encodeEvent, storedDefinition } from "./encoding.ts";
import type { NewEvent } from "./event.ts";
import type { EncodedEvent, EventRecord } from "./event-record.ts";
import { leafHash } from "./leaf-hash.ts";
import type { AppendCondition, Appended } from "./log.ts";
import { BATCH_LIMIT } from "./log.ts";
import { checkRedaction, isRedacted, keepsAllButTexts, redactionIn } from "./redaction/redact.ts";
import { recordMeets } from "./tags.ts";
import type { Event } from "./types/index.ts";
import { withoutVia } from "./types/via.ts";

/** An `append` call after all checks that need no access to the log. */
export interface AppendRequest {
  readonly events: readonly {
    readonly id: string;
    /** False if the caller chose the id: the log may already contain it. */
    readonly isNewId: boolean;
    readonly encoded: EncodedEvent;
  }[];
  readonly condition: AppendCondition;
}

/** What planning an append reads from the log, while holding the write lock. */
export interface LogState {
  last(): Pick<EventRecord, "position" | "recordedAt" | "type" | "schemaVersion"> | undefined;
  find(id: string): EventRecord | undefined;
  at(position: number): EventRecord | undefined;
  streamVersion(stream: string): number;
}

/** @throws LogError `invalid_event`, `unknown_event_type` */
export function prepareAppend(
  events: readonly NewEvent[],
  condition: AppendCondition,
  environment: Environment,
): AppendRequest {
  if (events.length > BATCH_LIMIT) {
    throw new LogError(
      "invalid_event",
      `A batch takes at most ${BATCH_LIMIT} events; this one has ${events.length}. Split it.`,
    );
  }
  const prepared = events.map((event) => ({
    id: event.id ?? environment.newId(),
    isNewId: event.id === undefined,
    encoded: encodeEvent(event),
  }));
  if (prepared.length > 1 && new Set(prepared.map(({ id }) => id)).size !== prepared.length) {
    throw new LogError("id_conflict", "Two events of one batch have the same id; each event needs its own.");
  }
  return { events: prepared, condition };
}

/**
 * Plans an append: `insert` holds the new records, and is empty if the log already has them.
 * The only place that assigns positions, stream versions and times. Writes nothing.
 *
 * Redactions in the batch are checked here; the caller that inserts one also removes the text it
 * names, in the same transaction.
 *
 * @throws LogError `id_conflict`, `moved`, `head_moved`, `stream_moved`
 * @throws LogError `redacted`, `invalid_event`: of a redaction
 * @throws LogError `newer_schema`: a newer program wrote the last event, so this one must not
 * append.
 */
export function planAppend(
  request: AppendRequest,
  state: LogState,
  environment: Environment,
): { readonly insert: readonly EventRecord[]; readonly appended: Appended } {
  const before = appendedBefore(request, state);
  if (before) return { insert: [], appended: new AppendedRecords("appended_before", before) };
  const last = state.last();
  if (last) storedDefinition(last);
  checkCondition(request.condition, last?.position ?? 0, state);
  const insert = placeRecords(request, last, state, environment);
  checkRedactions(insert, state);
  return { insert, appended: new AppendedRecords("appended", insert) };
}

/**
 * A batch cannot redact its own events, nor one event twice: targets are looked up in the log
 * before the batch.
 */
function checkRedactions(insert: readonly EventRecord[], state: LogState): void {
  const redactions = insert.flatMap((record) => redactionIn(record) ?? []);
  if (redactions.length === 0) return;
  const positions = new Set(redactions.map(({ payload }) => payload.position));
  if (positions.size !== redactions.length) {
    throw new LogError("invalid_event", "Two redactions in one batch redact the same event; send one.");
  }
  for (const redaction of redactions) checkRedaction(redaction, state.at(redaction.payload.position));
}

/**
 * Decodes the events from the stored records on first access: most callers of a large batch never
 * look.
 */
export class AppendedRecords implements Appended {
  readonly outcome: Appended["outcome"];
  readonly #records: Iterable<EventRecord>;
  #events: readonly Event[] | undefined;

  constructor(outcome: Appended["outcome"], records: Iterable<EventRecord>) {
    this.outcome = outcome;
    this.#records = records;
  }

  // A class, since V8 makes a hidden class for each object literal with a getter and never frees
  // what it refers to.
  get events(): readonly Event[] {
    this.#events ??= Array.from(this.#records, decodeEvent);
    return this.#events;
  }
}

/**
 * The records of a request that is in the log already; undefined if none of its events is.
 *
 * @throws LogError `id_conflict`: only some of them are, or with other content
 */
export function appendedBefore(
  request: AppendRequest,
  state: Pick<LogState, "find">,
): EventRecord[] | undefined {
  const found = request.events.map(({ id, isNewId }) => (isNewId ? undefined : state.find(id)));
  if (found.every((record) => record === undefined)) return undefined;
  return request.events.map(({ id, encoded }, index) => {
    const record = found[index];
    if (!record) {
      throw new LogError(
        "id_conflict",
        `Some events of the batch are already in the log, but not ${encoded.type} ${id}. Send the ` +
          "original batch unchanged.",
      );
    }
    if (!sameContent(record, encoded)) {
      throw new LogError(
        "id_conflict",
        `The id ${id} at position ${record.position} belongs to an event with other content. A new ` +
          "event needs a new id.",
      );
    }
    return record;
  });
}

function checkCondition(condition: AppendCondition, head: number, state: LogState): void {
  const { expectedHead, expectedStreamVersion, unless } = condition;
  if (expectedHead !== undefined && expectedHead !== head) throw headMoved(head, expectedHead);
  if (expectedStreamVersion) {
    const { stream, version } = expectedStreamVersion;
    const actual = state.streamVersion(stream);
    if (actual !== version) throw streamMoved(stream, actual, version);
  }
  if (unless) checkUnmoved(unless, head, state);
}

/** The events after that position are few: whoever decides has just caught up. */
function checkUnmoved(
  { after, tags }: NonNullable<AppendCondition["unless"]>,
  head: number,
  state: LogState,
): void {
  const read = new Set(tags);
  for (let position = after + 1; position <= head && read.size > 0; position++) {
    const record = state.at(position);
    if (!record || !recordMeets(record, read)) continue;
    throw moved(position, record.type, after);
  }
}

/** The error for an append that expects another head. */
export function headMoved(head: number, expected: number | undefined): LogError {
  return new LogError(
    "head_moved",
    `The log's head is ${head}, not ${expected}. Read the new state and decide again.`,
  );
}

/** The error for an append that expects another version of a stream. */
export function streamMoved(
  stream: string | undefined,
  actual: number,
  expected: number | undefined,
): LogError {
  return new LogError(
    "stream_moved",
    `Stream ${stream} is at version ${actual}, not ${expected}. Read the new state and decide again.`,
  );
}

/** The error for an append whose decision has read what an event may have changed meanwhile. */
export function moved(position: number, type: string, after: number | undefined): LogError {
  return new LogError(
    "moved",
    `Position ${position} (${type}) came after position ${after} and may change what was decided on. Look again and decide anew.`,
  );
}

/** Placeholder until the record's own hash is known. */
const NOT_YET: Buffer = Buffer.alloc(0);

function placeRecords(
  request: AppendRequest,
  last: ReturnType<LogState["last"]>,
  state: LogState,
  environment: Environment,
): EventRecord[] {
  const versions = new Map<string, number>();
  let position = last?.position ?? 0;
  const now = environment.now();
  const nextTime = timesFrom(now, last?.recordedAt);
  return request.events.map(({ id, encoded }) => {
    const recordedAt = nextTime();
    if (recordedAt === undefined) throw timeError(now, last);
    const streamVersion = (versions.get(encoded.stream) ?? state.streamVersion(encoded.stream)) + 1;
    versions.set(encoded.stream, streamVersion);
    // Written out field by field: spreading objects was a sixth of the time of a large batch.
    const record = {
      position: ++position,
      id,
      stream: encoded.stream,
      streamVersion,
      type: encoded.type,
      schemaVersion: encoded.schemaVersion,
      payload: encoded.payload,
      recordedAt,
      actor: encoded.actor,
      causation: encoded.causation,
      correlation: encoded.correlation,
      salt: environment.newSalt(id),
      leafHash: NOT_YET,
    };
    record.leafHash = leafHash(record);
    return record;
  });
}

function timeError(now: Microseconds, last: ReturnType<LogState["last"]>): LogError {
  return new LogError(
    "time_out_of_range",
    now >= fromIsoTime("9999-12-31T23:59:59.999000Z")
      ? "This machine's clock is past the year 9999, which the log cannot store. Nothing was recorded: " +
          "set the clock, then append again."
      : `The log's last event (position ${last?.position}) was recorded at ${last?.recordedAt} by a ` +
          "wrong clock. No later time can be stored, so nothing can be appended after it. Restore a " +
          "backup from before that event.",
  );
}

/** True if appending `encoded` again under the id of `record` says the same thing. */
export function sameContent(record: EventRecord, encoded: EncodedEvent): boolean {
  return (
    record.type === encoded.type &&
    record.stream === encoded.stream &&
    record.actor === encoded.actor &&
    record.causation === encoded.causation &&
    record.correlation === encoded.correlation &&
    samePayload(record, encoded)
  );
}

/**
 * The record encoded in today's schema version. Texts that a redaction removed cannot be compared; the rest can. An act that is
 * sent again may come another way.
 */
function samePayload(record: EventRecord, { type, payload }: EncodedEvent): boolean {
  const stored = decodeEvent(record).payload;
  const given = withoutVia(type, JSON.parse(payload)).payload;
  if (!isRedacted(record)) return JSON.stringify(stored) === JSON.stringify(given);
  return keepsAllButTexts(type, stored, given);
}
