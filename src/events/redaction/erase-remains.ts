import Database from "better-sqlite3";

/**
 * Deleted rows leave their bytes in the pages of a database and in its journal; this erases them.
 */
export type Remains = "erased" | "held_by_readers" | "held_by_writers" | "no_room";

/**
 * Rewrites a database without the bytes of deleted rows: free pages, leftovers of moved cells, and
 * the journal. Appends may continue; they wait while the file is written.
 *
 * @returns why something may be left: another process reads an older state or writes, or the disk
 * is full
 */
export function eraseRemains(database: Database.Database): Remains {
  try {
    database.exec("VACUUM");
  } catch (cause) {
    const code = cause instanceof Database.SqliteError ? cause.code : "";
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return "held_by_writers";
    if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) return "no_room";
    throw cause;
  }
  return emptyJournal(database) ? "erased" : "held_by_readers";
}

/**
 * Checkpoints and truncates the journal. @returns false if another connection still reads from it
 */
export function emptyJournal(database: Database.Database): boolean {
  const [row] = database.prepare<[], { busy: number; log: number }>("PRAGMA wal_checkpoint(TRUNCATE)").all();
  return row?.busy === 0;
}
