import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { LogError } from "./log-error.ts";
import { asLogError, createLogFile } from "./sqlite-file.ts";
import { prepareReader } from "./sqlite-records.ts";

/** What `init` records in a new project, at most: a log with these alone holds nothing that anybody has said. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  "feature.created",
  "discipline.created",
  "project.described",
]);
const MOST_BEGINNINGS = 3;

/**
 * How many events a log has, if they are only what `init` records (or none); undefined for any other log.
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
 * Puts a log in the place where none is, or one that holds only what `init` records: the one case in which a log is
 * replaced, since nothing that was acknowledged to anybody is lost. Nobody else may have it open.
 *
 * @param from a log of its own, closed; it is gone from there afterwards
 * @throws LogError `busy`: somebody has the log open; `history_differs`: it holds more; `disk`, `damaged`
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

/** A link, since a rename would replace what somebody has put there meanwhile. */
function putInPlace(from: string, to: string): void {
  linkSync(from, to);
  rmSync(from);
}

function replaceUntouched(from: string, to: string): void {
  const database = new Database(to, { fileMustExist: true, timeout: 0 });
  try {
    // Refused while any other connection is open; afterwards there is no -wal that could be taken for the new file's.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    if (beginningsOf(database) === undefined) {
      throw new LogError("history_differs", `Somebody has worked in ${to} meanwhile; it is not replaced.`);
    }
    // Whoever opens the file meanwhile waits for the lock, and finds the new one when it looks for the path again.
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
