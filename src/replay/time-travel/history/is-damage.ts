import Database from "better-sqlite3";
import { ReadModelError } from "../../../projections/read-model-error.ts";

/** Whether SQLite finds that what a history's file holds is not what was written. */
export function isDamage(error: unknown): error is Error {
  const cause = error instanceof ReadModelError ? error.cause : error;
  return cause instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(cause.code);
}
