import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { unfinishedPath } from "../processes/unfinished-file.ts";
import { LogError } from "./log-error.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { checkFolder } from "./project-folder.ts";
import { asLogError, createLogFile, openForReading } from "./sqlite-file.ts";
import { prepareReader } from "./sqlite-records.ts";

/** The head of a copied log. */
export interface LogCopy {
  /** The position of its last event; 0 for an empty log. */
  readonly head: number;
  /** Hex; the leaf hash of its last event. */
  readonly leafHash: string;
}

/**
 * Copies a snapshot of a log, which others may append to meanwhile. Every event of the copy is
 * verified before the file gets its name; only its owner can read it.
 *
 * @param to a file that does not exist yet
 * @throws LogError `disk`: the file exists, or cannot be written; `damaged`, `newer_schema`: the
 * log cannot be read
 */
export async function copyLog(from: string, to: string): Promise<LogCopy> {
  const source = openForReading(from);
  try {
    return await copyDatabase(source, to, readThrough);
  } catch (cause) {
    throw asLogError(cause, from);
  } finally {
    source.close();
  }
}

/**
 * Copies a snapshot of a database, which others may write to meanwhile. The copy is one file, and
 * gets its name only after it is checked and synced.
 *
 * @param to a file that does not exist yet; only its owner can read it
 * @param check gets the copy's path, and throws if the copy is not valid
 * @returns what `check` returns
 * @throws LogError `disk`: the file exists; Error from the system: it cannot be written
 */
export async function copyDatabase<T>(
  source: Database.Database,
  to: string,
  check: (copy: string) => T | Promise<T>,
): Promise<T> {
  if (existsSync(to)) {
    throw new LogError("disk", `${to} already exists and was not overwritten. Choose another name.`);
  }
  const unfinished = unfinishedPath(to);
  try {
    closeSync(openSync(unfinished, "wx", 0o600));
    await source.backup(unfinished, { progress: () => PAGES_AT_ONCE });
    leaveWal(unfinished).close();
    const checked = await check(unfinished);
    syncFile(unfinished);
    // A link, since a rename would overwrite a file that appeared meanwhile.
    linkSync(unfinished, to);
    syncFile(dirname(to));
    return checked;
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${unfinished}${end}`, { force: true });
  }
}

/**
 * Creates a log from a backup. Never replaces an existing log: all of its events were acknowledged.
 *
 * @param to the path of the project's log
 * @throws LogError `disk`: a log exists, or cannot be written; `damaged`, `newer_schema`: the
 * backup is at fault
 */
export async function restoreLog(from: string, to: string): Promise<LogCopy> {
  checkFolder(to);
  const there = ["", "-wal", "-shm", "-journal"].map((end) => `${to}${end}`).find((path) => existsSync(path));
  if (there !== undefined) {
    throw new LogError(
      "disk",
      `${there} already holds a log, or part of one, and was not overwritten. Stop all programs that ` +
        "use the project, move that file with its -wal and -shm away, then restore again.",
    );
  }
  openForReading(from).close();
  makePrivateFolder(dirname(to));
  const copy = await copyLog(from, to);
  createLogFile(to);
  return copy;
}

/** All remaining pages in one step: an append between two steps would restart the copy. */
const PAGES_AT_ONCE = 0x7fffffff;

/** @throws LogError `damaged`, `newer_schema` */
function readThrough(path: string): LogCopy {
  const database = new Database(path);
  try {
    const reader = prepareReader(database);
    if (!reader.isWhole()) throw new LogError("damaged", `${path} is damaged.`);
    const last = reader.last();
    const [record] = last ? reader.page(last.position - 1, 1) : [];
    return { head: last?.position ?? 0, leafHash: record?.leafHash.toString("hex") ?? "" };
  } finally {
    database.close();
  }
}

/** Makes the copy one file: a journal beside it could be lost or mixed up. */
function leaveWal(path: string): Database.Database {
  const database = new Database(path);
  database.pragma("journal_mode = DELETE");
  return database;
}

function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
