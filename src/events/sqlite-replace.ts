import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { LogError } from "./log-error.ts";
import { asLogError, createLogFile } from "./sqlite-file.ts";
import { prepareReader } from "./sqlite-records.ts";

/**
 * The most events that `init` records in a new project: a log with only these contains no one's
 * work.
 */
const BEGINNINGS: ReadonlySet<string> = new Set([
  "feature.created",
  "discipline.created",
  "project.described",
]);
const MOST_BEGINNINGS = 3;

/**
 * The number of events in a log that has only those of `init` (or none); undefined for any other
 * log.
 *
 * @throws LogError `damaged`, `newer_schema`
 */
export function beginningsOf(database: Database.Database): number | undefined {
  const reader = prepareReader(database);
  const records = reader.page(0, MOST_BEGINNINGS + 1);
  const known = records.every(
    ({ type, stream }) => BEGINNINGS.has(type) && (stream === "project" || stream.endsWith("-general")),
  );
  return known && records.length <= MOST_BEGINNINGS ? records.length : undefined;
}

/**
 * Moves a log to a path where there is none, or one with only the events of `init`. The one case in
 * which a log is replaced, since no acknowledged work is lost. No process may have the old one
 * open.
 *
 * @param from a separate, closed log; it is moved away from there
 * @throws LogError `busy`: a process has the log open; `history_differs`: the old log has more
 * events; `disk`, `damaged`
 */
export function replaceLog(from: string, to: string): void {
  try {
    leaveWal(from);
    if (existsSync(to)) replaceUntouched(from, to);
    else putInPlace(from, to);
    createLogFile(to);
  } catch (cause) {
    throw asLogError(cause, to);
  }
}

/** A link, since a rename would overwrite a file that appeared meanwhile. */
function putInPlace(from: string, to: string): void {
  linkSync(from, to);
  rmSync(from);
}

function replaceUntouched(from: string, to: string): void {
  const database = new Database(to, { fileMustExist: true, timeout: 0 });
  try {
    // SQLite refuses this while any other connection is open; afterwards there is no -wal that
    // could be applied to the new file.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    if (beginningsOf(database) === undefined) {
      throw new LogError("history_differs", `${to} was changed in the meantime; it is not replaced.`);
    }
    // A process that opens the file meanwhile waits for the lock, then re-checks the path and finds
    // the new one.
    renameSync(from, to);
  } catch (cause) {
    if (asLogError(cause, to) instanceof LogError) createLogFile(to);
    throw cause;
  } finally {
    database.close();
  }
}

function leaveWal(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}
