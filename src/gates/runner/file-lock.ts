import Database from "better-sqlite3";
import { touchPrivate } from "../../lib/project-folder.ts";

/**
 * Takes a lock, or reports that it is taken. It is SQLite's lock on an empty database, and so a
 * kernel lock: it ends with its process, whenever that dies, so there are no stale locks and no
 * races to take one over. A lock file that names its holder could only be judged by pid and start
 * time, which fails between containers and when two processes judge at once.
 *
 * @returns a function to release it; undefined if it is taken, by this process or another
 * @throws SqliteError: the file is not usable
 */
export function takeFileLock(path: string): (() => void) | undefined {
  touchPrivate(path);
  const database = new Database(path, { timeout: 0 });
  try {
    // Exactly one of several simultaneous callers gets it; an exclusive lock might go to none.
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return () => database.close();
}
