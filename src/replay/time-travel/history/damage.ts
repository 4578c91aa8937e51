import Database from "better-sqlite3";
import { ReadModelError } from "../../../projections/read-model-error.ts";

/** What is thrown where a history's file is not what was written, though SQLite finds it in order. */
export function damage(why: string): Error {
  return new Database.SqliteError(why, "SQLITE_CORRUPT");
}

/** Whether what a history's file holds is not what was written. */
export function isDamage(error: unknown): error is Error {
  const cause = error instanceof ReadModelError ? error.cause : error;
  return cause instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(cause.code);
}
