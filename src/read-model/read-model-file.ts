import { existsSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { JOURNAL_BYTES } from "../events/journal.ts";
import { touchPrivate } from "../lib/project-folder.ts";
import { ColumnError } from "../projections/parse-column.ts";
import { quote } from "../projections/table.ts";
import { newerVersion, ReadModelError } from "./read-model-error.ts";
import { READ_MODEL_FORMAT } from "./schema.ts";

/**
 * SQLite's name for a nameless file in the system's folder for temporary files (`SQLITE_TMPDIR`):
 * it disappears with the process, however that ends.
 */
export const UNNAMED_FILE = "";

/**
 * Opens the file; a file that is no longer a database is recreated, since the log can restore its
 * content.
 *
 * @throws ReadModelError `unusable`
 */
export function openDatabase(path: string): Database.Database {
  try {
    return prepareOrMakeAnew(path);
  } catch (cause) {
    throw asReadModelError(cause, path);
  }
}

/** Converts an error of better-sqlite3, or of a column that is no JSON, to a ReadModelError. */
export function asReadModelError(cause: unknown, path: string): unknown {
  if (!(cause instanceof Database.SqliteError || cause instanceof ColumnError)) return cause;
  if (isDamage(cause)) {
    return new ReadModelError(
      "damaged",
      `The read model ${path} is damaged, or its disk cannot be read (${cause.message}). If this repeats, delete it with its -wal and -shm: it is rebuilt from the log.`,
      { cause },
    );
  }
  return new ReadModelError("unusable", `The read model ${path} cannot be used: ${cause.message}.`, {
    cause,
  });
}

/** Damage has many symptoms: a missing table or column, an oversized value, a value of another type, a text that is no JSON. */
function isDamage(cause: unknown): boolean {
  return cause instanceof Database.SqliteError
    ? /^SQLITE_(NOTADB|CORRUPT|ERROR|CONSTRAINT|TOOBIG|MISMATCH)/.test(cause.code)
    : cause instanceof ColumnError;
}

/** Recreates the file and discards its content. */
export function openAnew(path: string): Database.Database {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${end}`, { force: true });
  return prepareDatabase(path);
}

/**
 * Empties a file of another format, or that we did not make: the log can restore its content.
 *
 * @param seal what only we write into this very file; absent: whoever made it does not matter
 * @throws ReadModelError
 */
export function dropForeign(database: Database.Database, seal: number | undefined): void {
  const format = Number(database.pragma("user_version", { simple: true }));
  const isOurs = seal === undefined || database.pragma("application_id", { simple: true }) === seal;
  if (isOurs) checkFormat(database, format);
  if (isOurs && format === READ_MODEL_FORMAT) return;
  const objects = database.prepare<[], { type: string; name: string }>(
    "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%' ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC",
  );
  for (const { type, name } of objects.all()) database.exec(`DROP ${type} IF EXISTS ${quote(name)}`);
  database.pragma(`user_version = ${READ_MODEL_FORMAT}`);
  if (seal !== undefined) database.pragma(`application_id = ${seal}`);
}

/** @throws ReadModelError `newer_version` */
export function checkFormat(database: Database.Database, format: number): void {
  if (format > READ_MODEL_FORMAT)
    throw newerVersion(`the tables of the read model ${database.name}`, format, READ_MODEL_FORMAT);
}

function prepareOrMakeAnew(path: string): Database.Database {
  try {
    return prepareDatabase(path);
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError) || !/^SQLITE_(NOTADB|CORRUPT)/.test(cause.code)) throw cause;
    return openAnew(path);
  }
}

/**
 * Smaller pages would make the file a third larger (docs/decisions/0033). An existing file keeps
 * its own size.
 */
const PAGE_BYTES = 2_048;

function prepareDatabase(path: string): Database.Database {
  // It is in WAL mode from its first page on: SQLite would put the pages of a rollback journal from elsewhere over its own.
  if (isLarger(path, PAGE_BYTES) && existsSync(`${path}-journal`)) return openAnew(path);
  if (path !== ":memory:" && path !== UNNAMED_FILE) touchPrivate(path);
  const database = new Database(path, { timeout: 10_000 });
  try {
    // Reports change a few rows of many tables and indexes, and each changed page is written in
    // full.
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma("journal_mode = WAL");
    const page_bytes = Number(database.pragma("page_size", { simple: true }));
    database.pragma(`wal_autocheckpoint = ${JOURNAL_BYTES / page_bytes}`);
    database.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
    // A cache needs no fsync of its own: the log restores what a power cut loses.
    database.pragma("synchronous = NORMAL");
    // Renaming a table does not update the views; they are recreated.
    database.pragma("legacy_alter_table = ON");
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

function isLarger(path: string, bytes: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytes;
}
