import Database from "better-sqlite3";

/** Whether what a history's file holds is not what was written. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
}
