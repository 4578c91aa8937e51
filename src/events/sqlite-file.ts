import { closeSync, openSync, readSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import { checkFolder, refuseLinks, touchPrivate } from "../lib/project-folder.ts";
import { JOURNAL_BYTES } from "./journal.ts";
import { checkJournalInPlace } from "./sqlite-in-place.ts";
import { movedTo } from "./sqlite-moved.ts";
import { APPLICATION_ID, LOG_SCHEMA, LOG_SCHEMA_VERSION, MOVED_FORMAT } from "./sqlite-schema.ts";

/**
 * Creates an empty log that only its owner can read; does nothing if the file exists.
 *
 * @throws LogError `disk`: the folder is not writable; folder or file is a symbolic link; the -wal
 * was removed
 * @throws LogError `damaged`: a file exists that is not an event log
 */
export function createLogFile(path: string): void {
  checkLogPath(path);
  touchPrivate(path);
  checkJournalInPlace(path);
  const database = new Database(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database
      .transaction(() => {
        const tables = database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
        if (tables === 0) database.exec(LOG_SCHEMA);
        else {
          checkIsLog(database, path);
          checkFormat(formatOf(database)(), database);
        }
      })
      .immediate();
  } catch (cause) {
    throw asLogError(cause, path);
  } finally {
    database.close();
  }
}

/**
 * The log must lie in the project's folder itself: behind a symbolic link, SQLite puts the journal
 * beside the target, where processes that opened the log before the link was made do not look.
 *
 * @throws LogError `disk`: the file, `.ralph` or `.ralph/db` is a symbolic link
 */
export function checkLogPath(path: string): void {
  checkFolder(path);
  refuseLinks(path);
}

/**
 * @param anyFormat true: also opens a log of a newer format
 * @throws LogError `damaged`, `newer_schema`, `disk`
 */
export function openForReading(path: string, anyFormat = false): Database.Database {
  return open(path, { readonly: true, timeout: LOCK_TIMEOUT_MS }, (database) => {
    if (!anyFormat) checkFormat(formatOf(database)(), database);
    checkJournal(database, path);
  });
}

/**
 * Opens the one connection that writes. It never waits for a lock itself: SQLite's busy handler
 * starves the slowest of several processes; `SqliteLog` retries with jitter instead.
 *
 * @throws LogError `damaged`, `newer_schema`, `disk`
 */
export function openForWriting(path: string): Database.Database {
  return open(path, { timeout: 0 }, (database) => {
    checkFormat(formatOf(database)(), database);
    // Without this, better-sqlite3 uses NORMAL in WAL mode: a power cut would lose acknowledged
    // events.
    database.pragma("synchronous = FULL");
    database.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
    // Redacted bytes are overwritten, not only unlinked.
    database.pragma("secure_delete = ON");
  });
}

/** Converts an error of better-sqlite3 to a LogError. */
export function asLogError(cause: unknown, path: string): unknown {
  if (cause instanceof LogError && cause.code === "damaged" && !cause.message.includes(path)) {
    return damaged(path, cause);
  }
  if (!(cause instanceof Database.SqliteError)) return cause;
  const { code } = cause;
  if (code.startsWith("SQLITE_BUSY")) {
    return new LogError("busy", `The log ${path} is locked by another process; try again.`, { cause });
  }
  if (/^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|PERM)/.test(code)) {
    return new LogError("disk", `The log ${path} cannot be used: ${cause.message} (${code}).`, { cause });
  }
  if (/^SQLITE_(NOMEM|INTERRUPT|MISUSE)/.test(code)) return cause;
  // The message of a damaged schema may contain the trigger's words; only the trigger itself has
  // its code.
  const isTaken = code === "SQLITE_CONSTRAINT_TRIGGER" && /id is taken/.test(cause.message);
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || isTaken) {
    return new LogError(
      "id_conflict",
      "An id generated for this append is already in the log; append again.",
      { cause },
    );
  }
  // Damage has many symptoms: a missing table, an oversized value, an index that contradicts its
  // table.
  return damaged(path, cause);
}

function damaged(path: string, cause: Error): LogError {
  return new LogError(
    "damaged",
    `${path} is not an event log or is damaged, or its disk cannot be read (${cause.message}). ` +
      "Nothing more is written to it. Restore it from a backup.",
    { cause },
  );
}

/**
 * A log only grows: if the file has more pages than its journal says, the journal is older or
 * belongs to another file. Only erasing after a redaction shrinks the file, and that raises the
 * schema cookie in the journal.
 */
function checkJournal(database: Database.Database, path: string): void {
  // The file's size first, since others may append meanwhile.
  const inFile = statSync(path).size;
  const known = Number(database.pragma("page_count", { simple: true }));
  if (inFile > known * Number(database.pragma("page_size", { simple: true }))) {
    if (schemaNumberIn(path) < Number(database.pragma("schema_version", { simple: true }))) return;
    throw new LogError("damaged", "the -wal beside it is older than the file, or belongs to another file");
  }
}

/**
 * The schema cookie in the file's own header, ignoring the journal (SQLite's file format, 1.3.9).
 */
function schemaNumberIn(path: string): number {
  const file = openSync(path, "r");
  try {
    const cookie = Buffer.alloc(4);
    readSync(file, cookie, 0, 4, 40);
    return cookie.readUInt32BE();
  } finally {
    closeSync(file);
  }
}

const LOCK_TIMEOUT_MS = 5_000;

function open(
  path: string,
  options: Database.Options,
  prepare: (database: Database.Database) => void,
): Database.Database {
  checkThere(path);
  checkJournalInPlace(path);
  let database: Database.Database | undefined;
  try {
    database = new Database(path, options);
    checkIsLog(database, path);
    prepare(database);
    return database;
  } catch (cause) {
    database?.close();
    throw asLogError(cause, path);
  }
}

function checkThere(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })) return;
  } catch (cause) {
    throw new LogError(
      "disk",
      `The log ${path} cannot be reached: ${cause instanceof Error ? cause.message : cause}.`,
      {
        cause,
      },
    );
  }
  throw new LogError("disk", `There is no event log at ${path}. Create a project with \`signalbox init\`.`);
}

function checkIsLog(database: Database.Database, path: string): void {
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
    throw new LogError("damaged", `${path} is a database, but not an event log of signalbox.`);
  }
}

/**
 * Prepares the check of the format, which a newer program may raise while this one has the log
 * open.
 */
export function formatOf(database: Database.Database): () => number {
  const format = database.prepare<[], number>("PRAGMA user_version").pluck();
  return () => format.get() ?? 0;
}

/** @throws LogError `newer_schema`; `moved_to`: the log goes on elsewhere */
export function checkFormat(version: number, database: Database.Database): void {
  if (version <= LOG_SCHEMA_VERSION) return;
  if (version === MOVED_FORMAT) throw movedTo(database);
  throw new LogError(
    "newer_schema",
    `The log ${database.name} has format ${version}; this version of signalbox knows up to ` +
      `${LOG_SCHEMA_VERSION}. A newer version has opened it: update signalbox here.`,
  );
}
