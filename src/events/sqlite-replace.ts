import { existsSync, linkSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import { platform } from "../lib/platform/here.ts";
import { areBeginnings, BEGINNINGS_LOOK } from "./beginnings.ts";
import { makeOneFile } from "./one-file.ts";
import { asLogError, createLogFile, formatOf } from "./sqlite-file.ts";
import { prepareReader } from "./sqlite-records.ts";
import { MOVED_FORMAT } from "./sqlite-schema.ts";

/**
 * Moves a log to a path where there is none, one with only the events of `init`, or one that went elsewhere. Only these
 * are ever replaced, since no acknowledged work is lost. No process may have the old one open.
 *
 * @param from a separate, closed log; it is moved away from there
 * @throws LogError `busy`: a process has the log open; `history_differs`: the old log has more
 * events; `disk`, `damaged`
 */
export function replaceLog(from: string, to: string): void {
  try {
    makeOneFile(from);
    if (existsSync(to)) replaceUntouched(from, to);
    else putInPlace(from, to);
    platform().files.sync(dirname(to));
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
  const opened = inodeOf(to);
  const database = new Database(to, { fileMustExist: true, timeout: 0 });
  const isEnded = formatOf(database)() === MOVED_FORMAT;
  try {
    // SQLite refuses this while any other connection is open; afterwards there is no -wal that
    // could be applied to the new file.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    // Another process may have put its log there before this one had the lock, which is on the old file.
    if (inodeOf(to) !== opened) {
      throw new LogError("busy", `Another process has just put a log at ${to}; look at it, then try again.`);
    }
    if (!isEnded && !areBeginnings(prepareReader(database).page(0, BEGINNINGS_LOOK))) {
      throw new LogError("history_differs", `${to} was changed in the meantime; it is not replaced.`);
    }
    // Such a system refuses to replace the file while any other process has it open.
    if (!platform().files.replacesOpen) database.close();
    // A process that opens the file meanwhile waits for the lock, then re-checks the path and finds
    // the new one.
    platform().files.replace(from, to);
  } catch (cause) {
    database.close();
    if (!isEnded && asLogError(cause, to) instanceof LogError) createLogFile(to);
    throw cause;
  } finally {
    database.close();
  }
}

function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true }).ino;
}
