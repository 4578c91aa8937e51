import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { checkJournalInPlace } from "./sqlite-in-place.ts";

/**
 * Opens a database in WAL mode to look at it, and to leave nothing: no file beside it that was not there.
 *
 * A connection that cannot write leaves the -wal and -shm behind that it makes. So where there is no -wal, and nobody
 * has the file open, it is opened as if for writing, which makes SQLite remove them when the last connection closes; and
 * nothing is written over it. Where there is one, its owner keeps it, or a kill left it: reading changes nothing.
 */
export function openToLook(path: string): Database.Database {
  const readonly = existsSync(`${path}-wal`);
  const database = new Database(path, { readonly, fileMustExist: true, timeout: 5_000 });
  if (!readonly) database.pragma("query_only = ON");
  return database;
}

/**
 * Holds a database open, so that whatever opens it to read leaves no file beside it that was not there: the holder is to
 * be closed last. Undefined for what is no database; opening that in earnest says why.
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
