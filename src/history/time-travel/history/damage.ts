import Database from "better-sqlite3";
import { ColumnError } from "../../../projections/parse-column.ts";
import { ReadModelError } from "../../../read-model/read-model-error.ts";

/** The error for a row whose checksum fails, although SQLite finds no fault in the file. */
export function damage(why: string): Error {
  return new Database.SqliteError(why, "SQLITE_CORRUPT");
}

/** Whether an error means that a history's file is damaged. */
export function isDamage(error: unknown): error is Error {
  const cause = error instanceof ReadModelError ? error.cause : error;
  if (cause instanceof ColumnError) return true;
  return cause instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(cause.code);
}
