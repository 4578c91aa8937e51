import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { checkJournalInPlace } from "./sqlite-in-place.ts";

/**
 * Opens a database in WAL mode for reading, without leaving a new file beside it.
 *
 * A read-only connection leaves the -wal and -shm that it creates. So without a -wal, and if no
 * process has the file open, it is opened as if for writing: SQLite then removes both when the last
 * connection closes. An existing -wal belongs to a running process or was left by a kill: reading
 * changes nothing.
 */
export function openToLook(path: string): Database.Database {
  const readonly = existsSync(`${path}-wal`);
  const database = new Database(path, { readonly, fileMustExist: true, timeout: 5_000 });
  if (!readonly) database.pragma("query_only = ON");
  return database;
}

/**
 * Holds a database open, so that read-only connections leave no new file beside it; close the
 * holder last. Undefined if the file is not a database; opening it for use reports why.
 *
 * @throws LogError `disk`: its -wal was removed while another process has it open
 */
export function holdOpen(path: string): { close(): void } | undefined {
  checkJournalInPlace(path);
  try {
    const database = openToLook(path);
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch {
    return undefined;
  }
}
