import type Database from "better-sqlite3";
import { LogError } from "./log-error.ts";
import { asLogError, checkFormat, formatOf, openForReading } from "./sqlite-file.ts";
import { holdOpen } from "./sqlite-look.ts";
import { schemaFault } from "./sqlite-schema-fault.ts";

/**
 * A raw row of the log's table. Its columns may hold anything: the file may be damaged or tampered
 * with.
 */
export interface RawRow {
  readonly position: number;
  readonly id: unknown;
  readonly stream: unknown;
  readonly stream_version: unknown;
  readonly type: unknown;
  readonly schema_version: unknown;
  readonly payload: unknown;
  readonly salt: unknown;
  readonly recorded_at: unknown;
  readonly actor: unknown;
  readonly causation: unknown;
  readonly correlation: unknown;
  readonly leaf_hash: unknown;
  /** Of a redacted event; NULL in a log without redactions. */
  readonly payload_hash: unknown;
}

/** A consistent snapshot of a log's file, unchecked, whatever other processes append meanwhile. */
export interface AuditedFile {
  /** The names of streams by their keys. */
  streams(): Map<unknown, unknown>;
  /** Set if a newer program wrote the file in a format that this one does not know. */
  readonly newer: LogError | undefined;
  /** The lowest position in the table; undefined if it is empty. */
  lowest(): number | undefined;
  /** How its tables, indexes and triggers differ from its format; undefined if they do not. */
  schemaFault(): string | undefined;
  /** All rows from position 1 on, in the order of their positions. */
  rows(): Iterable<RawRow>;
  /** Positions with their stored leaf hashes, after `after` and up to `last`. */
  leaves(after: number, last: number): Iterable<Pick<RawRow, "position" | "leaf_hash">>;
  /** The row at a position, with the name of its stream. */
  row(position: number): RawRow | undefined;
  /** The positions of all events of a type, ascending. */
  positionsOf(type: string): readonly number[];
  /** The last position in the table; 0 if it is empty. */
  head(): number;
  /**
   * The last position and the number of entries in the index by id: both match the table in an
   * intact file.
   */
  indexed(): { readonly last: number; readonly count: number };
  /** A position whose id occurs twice. */
  doubledId(): number | undefined;
  /** What SQLite's integrity check finds; undefined if nothing. */
  fault(): string | undefined;
}

/**
 * Opens a log's file, runs `work` on it, and closes it. Writes nothing and leaves no new file
 * behind.
 *
 * @param anyFormat true: also opens a file of a newer format, for checks that hold in all formats
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: it is not readable as an event log;
 * whatever `work` throws
 */
export function auditFile<T>(path: string, work: (file: AuditedFile) => T, anyFormat = false): T {
  const holder = holdOpen(path);
  try {
    const database = openForReading(path, anyFormat);
    try {
      // One snapshot for all reads.
      database.exec("BEGIN");
      return work(prepare(database));
    } catch (cause) {
      throw asLogError(cause, path);
    } finally {
      database.close();
    }
  } finally {
    // Closed last: the last connection to close removes the journal.
    holder?.close();
  }
}

const PAGE = 1_000;

function prepare(database: Database.Database): AuditedFile {
  const columns = `position, id, stream, stream_version, type, schema_version, payload, salt, recorded_at, actor,
    causation, correlation, leaf_hash, ${hasPayloadHash(database) ? "payload_hash" : "NULL AS payload_hash"}`;
  const named = columns.replace("stream,", "(SELECT name FROM streams WHERE key = stream) AS stream,");
  // By rowid only: an index may be damaged while the table is intact.
  const table = "FROM events NOT INDEXED";
  const read = (what: string, after: number) =>
    pages(
      database.prepare<[number], RawRow>(
        `SELECT ${what} ${table} WHERE position > ? ORDER BY position LIMIT ${PAGE}`,
      ),
      // From the first row: seeking a position may go through the damaged page.
      database.prepare<[], RawRow>(`SELECT ${what} ${table} ORDER BY position`),
      after,
    );
  return {
    newer: newerFormat(database),
    lowest: () =>
      database.prepare<[], number | null>(`SELECT min(position) ${table}`).pluck().get() ?? undefined,
    schemaFault: () => schemaFault(database),
    streams() {
      const all = database.prepare<[], { key: unknown; name: unknown }>(
        "SELECT key, name FROM streams NOT INDEXED",
      );
      return new Map(all.all().map(({ key, name }) => [key, name]));
    },
    rows: () => read(columns, 0),
    leaves: (after, last) => upTo(last, read("position, leaf_hash", after)),
    row: (position) =>
      database.prepare<[number], RawRow>(`SELECT ${named} FROM events WHERE position = ?`).get(position),
    positionsOf: (type) =>
      database
        .prepare<[string], number>(`SELECT position ${table} WHERE type = ? ORDER BY position`)
        .pluck()
        .all(type),
    head: () => database.prepare<[], number | null>("SELECT max(position) FROM events").pluck().get() ?? 0,
    indexed() {
      const found = database
        .prepare<[], { last: number | null; count: number }>(
          "SELECT max(position) AS last, count(*) AS count FROM events INDEXED BY events_by_id WHERE id >= x''",
        )
        .get();
      return { last: found?.last ?? 0, count: found?.count ?? 0 };
    },
    doubledId: () =>
      database
        .prepare<[], number>("SELECT max(position) FROM events GROUP BY id HAVING count(*) > 1 LIMIT 1")
        .pluck()
        .get(),
    fault() {
      const found = database.prepare<[], string>("PRAGMA integrity_check(1)").pluck().get();
      return found === "ok" ? undefined : found;
    },
  };
}

function newerFormat(database: Database.Database): LogError | undefined {
  try {
    checkFormat(formatOf(database)(), database.name);
    return undefined;
  } catch (error) {
    if (error instanceof LogError) return error;
    throw error;
  }
}

/** The first redaction of a log adds the column. */
function hasPayloadHash(database: Database.Database): boolean {
  const columns = database.prepare<[], string>("SELECT name FROM pragma_table_info('events')").pluck().all();
  return columns.includes("payload_hash");
}

/**
 * Reads rows in pages, which is faster than one by one; on an unreadable page, reads the rows
 * before the fault by `scan`.
 */
function* pages(
  page: Database.Statement<[number], RawRow>,
  scan: Database.Statement<[], RawRow>,
  from: number,
): Generator<RawRow, void> {
  for (let after = from; ; ) {
    let rows: RawRow[];
    try {
      rows = page.all(after);
    } catch {
      for (const row of scan.iterate()) if (row.position > after) yield row;
      return;
    }
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.position;
  }
}

function* upTo(last: number, rows: Iterable<RawRow>): Generator<RawRow, void> {
  for (const row of rows) {
    if (row.position > last) return;
    yield row;
  }
}
