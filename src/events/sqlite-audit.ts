import type Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import type { AuditedLog, RawLeaf, RawRow } from "./audit.ts";
import { asLogError, checkFormat, formatOf, openForReading } from "./sqlite-file.ts";
import { holdOpen } from "./sqlite-look.ts";
import { schemaFault } from "./sqlite-schema-fault.ts";

/**
 * `EventLog.audit` of a log's file: opens it, runs `work` on it, and closes it. Writes nothing and leaves no new file
 * behind. It needs no open log, which a damaged file may not give.
 *
 * @param anyFormat true: also opens a file of a newer format, for checks that hold in all formats
 * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: it is not readable as an event log;
 * whatever `work` throws
 */
export async function auditFile<T>(
  path: string,
  work: (file: AuditedLog) => Promise<T>,
  anyFormat = false,
): Promise<T> {
  const holder = holdOpen(path);
  try {
    const database = openForReading(path, anyFormat);
    try {
      // One snapshot for all reads.
      database.exec("BEGIN");
      return await work(prepare(database));
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

function prepare(database: Database.Database): AuditedLog {
  const columns = `position, id, stream, stream_version, type, schema_version, payload, salt, recorded_at, actor,
    causation, correlation, leaf_hash, ${hasPayloadHash(database) ? "payload_hash" : "NULL AS payload_hash"}`;
  const named = columns.replace("stream,", "(SELECT name FROM streams WHERE key = stream) AS stream,");
  // By rowid only: an index may be damaged while the table is intact.
  const table = "FROM events NOT INDEXED";
  const read = <Row extends RawLeaf>(what: string, after: number) =>
    pages(
      database.prepare<[number], Row>(
        `SELECT ${what} ${table} WHERE position > ? ORDER BY position LIMIT ${PAGE}`,
      ),
      // From the first row: seeking a position may go through the damaged page.
      database.prepare<[], Row>(`SELECT ${what} ${table} ORDER BY position`),
      after,
    );
  const streams = () => {
    const all = database.prepare<[], { key: unknown; name: unknown }>(
      "SELECT key, name FROM streams NOT INDEXED",
    );
    return new Map(all.all().map(({ key, name }) => [key, name]));
  };
  return {
    newer: newerFormat(database),
    lowest: async () =>
      database.prepare<[], number | null>(`SELECT min(position) ${table}`).pluck().get() ?? undefined,
    schemaFault: async () => schemaFault(database),
    streams: async () => [...streams().values()],
    async *rows() {
      const names = streams();
      for (const page of read<{ -readonly [Column in keyof RawRow]: RawRow[Column] }>(columns, 0)) {
        for (const row of page) row.stream = names.get(row.stream);
        yield page;
      }
    },
    async *leaves(after, last) {
      for (const page of read<RawLeaf>("position, leaf_hash", after)) {
        const wanted =
          (page.at(-1)?.position ?? 0) > last ? page.filter((row) => row.position <= last) : page;
        if (wanted.length > 0) yield wanted;
        if (wanted.length < page.length) return;
      }
    },
    row: async (position) =>
      database.prepare<[number], RawRow>(`SELECT ${named} FROM events WHERE position = ?`).get(position),
    positionsOf: async (type) =>
      database
        .prepare<[string], number>(`SELECT position ${table} WHERE type = ? ORDER BY position`)
        .pluck()
        .all(type),
    head: async () =>
      database.prepare<[], number | null>("SELECT max(position) FROM events").pluck().get() ?? 0,
    async indexed() {
      const found = database
        .prepare<[], { last: number | null; count: number }>(
          "SELECT max(position) AS last, count(*) AS count FROM events INDEXED BY events_by_id WHERE id >= x''",
        )
        .get();
      return { last: found?.last ?? 0, count: found?.count ?? 0 };
    },
    doubledId: async () =>
      database
        .prepare<[], number>("SELECT max(position) FROM events GROUP BY id HAVING count(*) > 1 LIMIT 1")
        .pluck()
        .get(),
    async fault() {
      const found = database.prepare<[], string>("PRAGMA integrity_check(1)").pluck().get();
      return found === "ok" ? undefined : found;
    },
  };
}

function newerFormat(database: Database.Database): LogError | undefined {
  try {
    checkFormat(formatOf(database)(), database);
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
function* pages<Row extends RawLeaf>(
  page: Database.Statement<[number], Row>,
  scan: Database.Statement<[], Row>,
  from: number,
): Generator<Row[], void> {
  for (let after = from; ; ) {
    let rows: Row[];
    try {
      rows = page.all(after);
    } catch {
      for (const row of scan.iterate()) if (row.position > after) yield [row];
      return;
    }
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.position;
  }
}
