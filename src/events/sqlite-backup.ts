import { existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Environment } from "../lib/environment.ts";
import { LogError } from "../lib/log-error.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { checkFolder } from "../lib/project-folder.ts";
import { copyDatabase, makeDatabase } from "./copy-database.ts";
import type { EventLog } from "./log.ts";
import { copyRecords } from "./record-pages.ts";
import { asLogError, createLogFile, openForReading } from "./sqlite-file.ts";
import { openSqliteLog } from "./sqlite-log.ts";
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
 * Writes the events of any log into a file, with their positions, times and leaf hashes: a log as `copyLog` makes it.
 *
 * @param to a file that does not exist yet; only its owner can read it
 * @throws LogError as `copyLog`
 */
export async function copyLogByRecords(
  from: Pick<EventLog, "records" | "head">,
  to: string,
  environment: Environment,
): Promise<LogCopy> {
  const fill = async (unfinished: string) => {
    createLogFile(unfinished);
    const copy = openSqliteLog(unfinished, environment);
    try {
      await copyRecords(from, copy);
    } finally {
      await copy.close();
    }
  };
  return makeDatabase(to, fill, readThrough);
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
