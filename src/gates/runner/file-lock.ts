import Database from "better-sqlite3";
import { touchPrivate } from "../../events/project-folder.ts";

/**
 * Takes a lock, or says that somebody has it. It is the lock of SQLite on an empty database, and so one of the kernel: it goes with its
 * process at whatever moment that dies, there are no stale ones to take over, and so nobody can lose a race for one. A file
 * that only names its holder could be judged by the process's number and beginning alone, which fails between containers and where
 * two judge at once.
 *
 * @returns what gives it back; undefined where it is taken, by this process or another
 * @throws SqliteError: the file cannot be used
 */
export function takeFileLock(path: string): (() => void) | undefined {
  touchPrivate(path);
  const database = new Database(path, { timeout: 0 });
  try {
    // Of those who ask at once exactly one has it; an exclusive lock might go to none of them.
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return () => database.close();
}
