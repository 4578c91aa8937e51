import Database from "better-sqlite3";

/** What is left of removed rows in the pages of a database, and of its journal. */
export type Remains = "erased" | "held_by_readers" | "held_by_writers" | "no_room";

/**
 * Writes a database anew without what was removed from it: free pages, what cells that moved have left in others, and the
 * journal. Appends may go on meanwhile; they wait while the file is written.
 *
 * @returns why something may be left: another process is reading an older state, or writing, or the disk is full
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

/** Writes the journal back and cuts it to nothing. @returns false where somebody still reads from it */
export function emptyJournal(database: Database.Database): boolean {
  const [row] = database.prepare<[], { busy: number; log: number }>("PRAGMA wal_checkpoint(TRUNCATE)").all();
  return row?.busy === 0;
}
