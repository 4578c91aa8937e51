import type Database from "better-sqlite3";
import { idFromHex, idToBytes } from "../lib/ids.ts";
import { LogError } from "../lib/log-error.ts";
import type { LogState } from "./append.ts";
import { decodeEvent, decodeFields } from "./encoding.ts";
import type { EventRecord } from "./event-record.ts";
import { type LeafFields, leafHash, leafHashInHex } from "./leaf-hash.ts";
import { emptyJournal } from "./redaction/erase-remains.ts";
import { redactionIn, withKept } from "./redaction/redact.ts";
import { checkFormat, formatOf } from "./sqlite-file.ts";
import { movedTo } from "./sqlite-moved.ts";
import { MOVED_FORMAT, REDACTION_SCHEMA } from "./sqlite-schema.ts";
import type { Event } from "./types/index.ts";
import { REDACTIONS } from "./types/redactions.ts";

/** Reads records over one connection. */
export interface LogReader extends LogState {
  head(): number;
  /** Another number after each commit, of whatever process; after each change of the schema. */
  commits(): number;
  schemaVersion(): number;
  page(after: number, limit: number): EventRecord[];
  /**
   * The same, decoded to events in one pass, which is several times as fast.
   *
   * @param isVerified false if another reader verifies the leaf hashes of the same events
   */
  events(after: number, limit: number, isVerified?: boolean): Event[];
  streamEvents(stream: string, afterVersion: number, limit: number): Event[];
  positionsIn(streams: readonly string[], from: number, to: number): number[];
  /** Reads the whole log, and verifies every page and every leaf hash. @throws LogError `damaged` */
  isWhole(): boolean;
  close(): void;
}

/** Over the connection that writes. */
export interface LogWriter extends LogState {
  /**
   * Inserts records. A redaction also removes payload and salt of the event that it names. Call it
   * in a transaction.
   */
  insert(record: EventRecord): void;
  /**
   * Runs `work` in one durable transaction; `BEGIN IMMEDIATE`, so that it cannot become busy
   * half-way. `work` is told whether others have written since the last one.
   */
  transaction<T>(work: (haveOthersWritten: boolean) => T): T;
  /**
   * Checkpoints the whole journal into the log's file, durably.
   *
   * @param timeout_ms how long it waits for other readers and writers
   * @returns false if they prevented it
   */
  writeBack(timeout_ms: number): boolean;
  close(): void;
}

export function prepareReader(database: Database.Database): LogReader {
  const page = prepareRows<[number, number]>(
    database,
    `${SELECT} WHERE e.position > ? ORDER BY e.position LIMIT ?`,
  );
  const streamPage = prepareRows<[string, number, number]>(
    database,
    `${SELECT} WHERE e.stream = (SELECT key FROM streams WHERE name = ?) AND e.stream_version > ?
     ORDER BY e.stream_version LIMIT ?`,
  );
  // The unary plus keeps SQLite on the index by stream, which also holds the positions: no record
  // is read.
  const positionsIn = database
    .prepare<[string, number, number], number>(
      `SELECT position FROM events
       WHERE stream IN (SELECT key FROM streams WHERE name IN (SELECT value FROM json_each(?)))
         AND +position BETWEEN ? AND ? ORDER BY +position`,
    )
    .pluck();
  const format = formatOf(database);
  const { toRecord, ...state } = prepareState(database);
  const head = database.prepare<[], number | null>("SELECT max(position) FROM events").pluck();
  const commits = database.prepare<[], number>("PRAGMA data_version").pluck();
  const toEvent = (row: Row, isVerified = true) =>
    row[PAYLOAD] === null ? decodeEvent(toRecord(row)) : decodeWhole(row, row[PAYLOAD], isVerified);
  // Reads the end before the rows: a log only grows, so the rows must reach it, whatever is
  // appended meanwhile.
  function rowsAfter(after: number, limit: number): Row[] {
    checkFormat(format(), database);
    const end = Math.min(head.get() ?? 0, after + limit);
    const rows = page.all(after, limit);
    checkWhole(rows, POSITION, after, end);
    return rows;
  }
  return {
    ...state,
    head() {
      // A newer program's log still tells its head.
      if (format() === MOVED_FORMAT) throw movedTo(database);
      return head.get() ?? 0;
    },
    commits: () => commits.get() ?? 0,
    schemaVersion: () => Number(database.pragma("schema_version", { simple: true })),
    page: (after, limit) => rowsAfter(after, limit).map(toRecord),
    events: (after, limit, isVerified) => rowsAfter(after, limit).map((row) => toEvent(row, isVerified)),
    streamEvents(stream, after, limit) {
      const end = Math.min(state.streamVersion(stream), after + limit);
      const rows = streamPage.all(stream, after, limit);
      checkWhole(rows, STREAM_VERSION, after, end);
      return rows.map((row) => toEvent(row));
    },
    positionsIn(streams, from, to) {
      checkFormat(format(), database);
      // SQLite accepts no infinity as an integer.
      return positionsIn.all(JSON.stringify(streams), from, Math.min(to, Number.MAX_SAFE_INTEGER));
    },
    isWhole() {
      const [found] = database.prepare<[], string>("PRAGMA integrity_check(1)").pluck().all();
      for (let after = 0; after < this.head(); )
        after += rowsAfter(after, PAGE).map((row) => toEvent(row)).length;
      return found === "ok";
    },
    close: () => void database.close(),
  };
}

const PAGE = 1_000;

export function prepareWriter(database: Database.Database): LogWriter {
  const findKey = database.prepare<[string], number>("SELECT key FROM streams WHERE name = ?").pluck();
  const addStream = database.prepare<[string]>(
    "INSERT INTO streams (key, name) SELECT coalesce(max(key), 0) + 1, ? FROM streams",
  );
  const insert = database.prepare(
    `INSERT INTO events (position, id, stream, stream_version, type, schema_version, payload, salt, recorded_at,
       actor, causation, correlation, leaf_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const format = formatOf(database);
  const changesElsewhere = database.prepare<[], number>("PRAGMA data_version").pluck();
  const { toRecord: _toRecord, ...state } = prepareState(database);
  /**
   * A cache of this connection's last state, valid until another connection commits; of streams,
   * those that it has written to.
   */
  let last: ReturnType<LogState["last"]>;
  const keys = new Map<string, number>();
  const versions = new Map<string, number>();
  let seen: number | undefined;
  function forget(): void {
    last = undefined;
    keys.clear();
    versions.clear();
  }
  const transaction = database.transaction((work: (haveOthersWritten: boolean) => unknown) => {
    checkFormat(format(), database);
    const changes = changesElsewhere.get();
    const haveOthersWritten = changes !== seen;
    if (haveOthersWritten || keys.size > STREAMS_KEPT) forget();
    seen = changes;
    return work(haveOthersWritten);
  });
  function keyOf(stream: string): number {
    let key = keys.get(stream);
    if (key === undefined) {
      key = findKey.get(stream) ?? Number(addStream.run(stream).lastInsertRowid);
      keys.set(stream, key);
    }
    return key;
  }
  function remove({ payload: { position, payload_hash } }: Event<"event.redacted">): void {
    if (format() < 2) database.exec(REDACTION_SCHEMA);
    database
      .prepare("UPDATE events SET payload = NULL, salt = NULL, payload_hash = ? WHERE position = ?")
      .run(Buffer.from(payload_hash, "hex"), position);
  }
  return {
    ...state,
    last: () => last ?? state.last(),
    streamVersion: (stream) => versions.get(stream) ?? state.streamVersion(stream),
    insert(record) {
      insert.run(
        record.position,
        idToBytes(record.id),
        keyOf(record.stream),
        record.streamVersion,
        record.type,
        record.schemaVersion,
        record.payload,
        record.salt,
        record.recordedAt,
        record.actor,
        record.causation === undefined ? null : idToBytes(record.causation),
        record.correlation ?? null,
        record.leafHash,
      );
      last = record;
      versions.set(record.stream, record.streamVersion);
      const redaction = redactionIn(record);
      if (redaction) remove(redaction);
    },
    transaction<T>(work: (haveOthersWritten: boolean) => T) {
      try {
        // `transaction` returns the result of `work`; better-sqlite3's types lose it.
        return transaction.immediate(work) as T;
      } catch (error) {
        // A rollback also invalidates what was cached during the transaction.
        forget();
        throw error;
      }
    },
    writeBack(timeout_ms) {
      database.pragma(`busy_timeout = ${timeout_ms}`);
      return emptyJournal(database);
    },
    close: () => void database.close(),
  };
}

const STREAMS_KEPT = 1_000;

/** Bytes come as hex: SQLite makes a text in a third of the time of a buffer. */
const SELECT = `SELECT e.position, lower(hex(e.id)), s.name, e.stream_version, e.type, e.schema_version, e.payload,
  hex(e.salt), e.recorded_at, e.actor, lower(hex(e.causation)), e.correlation, lower(hex(e.leaf_hash))
  FROM events e JOIN streams s ON s.key = e.stream`;

/**
 * A row of SELECT; the table is STRICT, so the columns have these types. `hex` of NULL is empty.
 */
type Row = readonly [
  position: number,
  id: string,
  stream: string,
  stream_version: number,
  type: string,
  schema_version: number,
  /** NULL, like the salt, after a redaction. */
  payload: string | null,
  salt: string,
  recorded_at: string,
  actor: string,
  causation: string,
  correlation: string | null,
  leaf_hash: string,
];

const [POSITION, STREAM_VERSION, PAYLOAD, SALT, LEAF_HASH] = [0, 3, 6, 7, 12] as const;

/** Rows as arrays: faster to make than objects with as many names. */
function prepareRows<Parameters extends unknown[]>(
  database: Database.Database,
  sql: string,
): Database.Statement<Parameters, Row> {
  // `raw` turns rows from objects into arrays, which its type does not show.
  return database.prepare(sql).raw() as Database.Statement<Parameters, Row>;
}

function prepareState(database: Database.Database): LogState & { toRecord(row: Row): EventRecord } {
  const last = database.prepare<[], NonNullable<ReturnType<LogState["last"]>>>(
    `SELECT position, recorded_at AS recordedAt, type, schema_version AS schemaVersion FROM events
     ORDER BY position DESC LIMIT 1`,
  );
  const find = prepareRows<[Buffer]>(database, `${SELECT} WHERE e.id = ?`);
  const at = prepareRows<[number]>(database, `${SELECT} WHERE e.position = ?`);
  const streamVersion = database
    .prepare<[string], number | null>(
      "SELECT max(stream_version) FROM events WHERE stream = (SELECT key FROM streams WHERE name = ?)",
    )
    .pluck();
  const recordAt = (position: number) => {
    const row = at.get(position);
    return row && toRecord(row);
  };
  const redactionOf = prepareRedactions(database, recordAt);
  /** @throws LogError `damaged`: the stored event differs from the appended one */
  const toRecord = (row: Row) => checked(row, () => fromRow(row, redactionOf));
  return {
    toRecord,
    last: () => last.get(),
    find(id) {
      const row = find.get(idToBytes(id));
      return row && toRecord(row);
    },
    at: recordAt,
    streamVersion: (stream) => streamVersion.get(stream) ?? 0,
  };
}

/**
 * Finds the redaction of an event in the stream of all redactions. The redaction of an event never
 * changes, so the position is cached; the part that it kept may itself be redacted later, so it is
 * read each time.
 */
function prepareRedactions(
  database: Database.Database,
  recordAt: (position: number) => EventRecord | undefined,
): (position: number) => Event<"event.redacted"> | undefined {
  const later = database
    .prepare<[string, number], number>(
      `SELECT position FROM events WHERE stream = (SELECT key FROM streams WHERE name = ?) AND position > ?
       ORDER BY stream_version DESC`,
    )
    .pluck();
  const read = (position: number) => {
    const record = recordAt(position);
    return record && redactionIn(record);
  };
  const found = new Map<number, number>();
  let seen = 0;
  return (position) => {
    if (!found.has(position)) {
      const positions = later.all(REDACTIONS, seen);
      seen = positions[0] ?? seen;
      // Newest first: it may redact an earlier one, which can only be read after that.
      for (const by of positions) {
        const target = read(by)?.payload.position;
        if (target !== undefined) found.set(target, by);
      }
    }
    const by = found.get(position);
    return by === undefined ? undefined : read(by);
  };
}

/** Consecutive rows have consecutive numbers, up to the expected end. */
function checkWhole(
  rows: readonly Row[],
  number: typeof POSITION | typeof STREAM_VERSION,
  after: number,
  end: number,
): void {
  const from = Math.max(after, 0);
  const wrong = rows.findIndex((row, index) => row[number] !== from + index + 1);
  if (wrong < 0 && from + rows.length >= end) return;
  const name = number === POSITION ? "position" : "stream_version";
  throw new LogError("damaged", `${name} ${from + (wrong < 0 ? rows.length : wrong) + 1} is missing`);
}

function checked(row: Row, read: () => EventRecord): EventRecord {
  try {
    const record = read();
    if (leafHash(record).equals(record.leafHash)) return record;
  } catch {
    // A column has the wrong type, or the redaction of an event without payload is damaged itself.
  }
  throw notAsAppended(row);
}

/**
 * Decodes a row with payload. @throws LogError `damaged`: it was changed after it was appended;
 * `newer_schema`
 */
function decodeWhole(row: Row, payload: string, isVerified: boolean): Event {
  const fields = fieldsOf(row);
  const leafHash = row[LEAF_HASH];
  if (isVerified && leafHashInHex(fields, row[SALT], payload) !== leafHash) throw notAsAppended(row);
  return decodeFields(fields, payload, leafHash);
}

function notAsAppended([position]: Row): LogError {
  return new LogError("damaged", `the event at position ${position} was changed after it was appended`);
}

function fromRow(
  row: Row,
  redactionOf: (position: number) => Event<"event.redacted"> | undefined,
): EventRecord {
  const envelope = { ...fieldsOf(row), leafHash: Buffer.from(row[LEAF_HASH], "hex") };
  const payload = row[PAYLOAD];
  if (payload !== null) return { ...envelope, payload, salt: Buffer.from(row[SALT], "hex") };
  const redaction = redactionOf(row[POSITION]);
  if (!redaction) throw new LogError("damaged", `the payload at position ${row[POSITION]} is missing`);
  return withKept(envelope, redaction);
}

function fieldsOf(row: Row): LeafFields {
  const [
    position,
    id,
    stream,
    streamVersion,
    type,
    schemaVersion,
    ,
    ,
    recordedAt,
    actor,
    causation,
    correlation,
  ] = row;
  return {
    position,
    id: idFromHex(id),
    stream,
    streamVersion,
    type,
    schemaVersion,
    recordedAt,
    actor,
    causation: causation === "" ? undefined : idFromHex(causation),
    correlation: correlation ?? undefined,
  };
}
