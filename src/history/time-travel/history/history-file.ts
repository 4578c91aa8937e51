import { hash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { errorMessage } from "../../../lib/error-message.ts";
import { makePrivateFolder } from "../../../lib/private-folder.ts";
import { removeUnfinished } from "../../../lib/processes/unfinished-file.ts";
import { ralphFolderOf, touchPrivate } from "../../../lib/project-folder.ts";
import { projections } from "../../../projections/all.ts";
import { ReadModelError } from "../../../read-model/read-model-error.ts";
import { READ_MODEL_FORMAT, schemaOf } from "../../../read-model/schema.ts";
import { isDamage } from "./damage.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";

/*
 * `.ralph/history/` has one file, named after the reducers and the format that made it; a rebuilt
 * file gets a new name. So processes that have a removed file open keep using it until they notice,
 * and cannot disturb its successor.
 */

/** The format of the file apart from the projections' tables. Raise it with every change of it. */
const HISTORY_FORMAT = 3;

export interface HistoryFile {
  readonly path: string;
  /**
   * Whether only this process uses it, in the system's temporary folder, because the project's
   * folder is not writable.
   */
  readonly isTemporary: boolean;
}

/**
 * The path of the history file; creates an empty file if there is none, and removes those of other
 * program versions.
 *
 * @param readModelPath `.ralph/db/ralph.db`, or `:memory:`
 */
export function findHistoryFile(readModelPath: string): HistoryFile {
  try {
    if (readModelPath !== ":memory:") return { path: inProject(readModelPath), isTemporary: false };
  } catch {
    // A project without write permission.
  }
  return { path: join(mkdtempSync(join(tmpdir(), "signalbox-history-")), newName()), isTemporary: true };
}

/** The path of an existing history file; creates and removes nothing. */
export function findMadeHistory(readModelPath: string): string | undefined {
  try {
    const folder = folderOf(readModelPath);
    const [first] = ours(folder);
    return first === undefined ? undefined : join(folder, first);
  } catch {
    // There is none, or no permission to read it.
    return undefined;
  }
}

/**
 * The last event in a history file; 0 if the file has just been removed.
 *
 * @throws ReadModelError `damaged`, `unusable`: it cannot be read
 */
export function headOfHistory(path: string): number {
  try {
    return readHead(path);
  } catch (error) {
    if (isDamage(error)) {
      const message = `The history of the read model is damaged (${error.message}). Build it again with \`signalbox history make\`.`;
      throw new ReadModelError("damaged", message, { cause: error });
    }
    if (!existsSync(path)) return 0;
    const why = errorMessage(error);
    const message = `The history of the read model cannot be read (${why}). Delete .ralph/history, and build it again.`;
    throw new ReadModelError("unusable", message, { cause: error });
  }
}

function readHead(path: string): number {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__head'").get() !== undefined;
    return isThere ? headIn(database.prepare<[], HeadRow>(HEAD_SQL).get()) : 0;
  } finally {
    database.close();
  }
}

/** Removes one file, even if a process has it open. */
export function removeHistoryFile({ path, isTemporary }: HistoryFile): void {
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true });
  else remove(path);
}

/**
 * Removes a project's history and its predecessors of earlier program versions, even while a
 * process is building or reading it: it may contain a redacted text.
 *
 * @throws Error from the system: the folder cannot be removed
 */
export function dropHistory(readModelPath: string): void {
  rmSync(folderOf(readModelPath), { recursive: true, force: true, maxRetries: 5 });
  rmSync(snapshotsOf(readModelPath), { recursive: true, force: true });
}

/** Removes the snapshots of earlier program versions, up to 4 GB; the history replaces them. */
export function removeSnapshots(readModelPath: string): void {
  try {
    rmSync(snapshotsOf(readModelPath), { recursive: true, force: true });
  } catch {
    // The project belongs to another user.
  }
}

/** An unused file name in the project's folder. */
export function newHistoryPath(readModelPath: string): string {
  const folder = folderOf(readModelPath);
  makePrivateFolder(folder);
  return join(folder, newName());
}

/** Removes the other histories beside one, and the leftovers of killed imports. */
export function removeOtherHistories(path: string): void {
  const folder = dirname(path);
  removeUnfinished(folder);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (name.endsWith(".db") && other !== path) remove(other);
  }
}

/** @throws Error from the system, LogError: it cannot be written */
function inProject(readModelPath: string): string {
  const folder = folderOf(readModelPath);
  makePrivateFolder(folder);
  const [first] = ours(folder);
  const path = join(folder, first ?? newName());
  touchPrivate(path);
  accessSync(path, constants.R_OK | constants.W_OK);
  removeOtherHistories(path);
  return path;
}

function remove(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
}

function ours(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix()) && name.endsWith(".db"))
    .sort();
}

function newName(): string {
  return `${prefix()}${randomUUID()}.db`;
}

function prefix(): string {
  return `${HISTORY_FORMAT}-${madeBy()}-`;
}

/** Equal for equal rows: hashes the reducers' versions and the declarations of their tables. */
function madeBy(): string {
  const versions = projections.map((one) => [one.name, one.version, schemaOf(one)]);
  return hash("sha256", JSON.stringify([READ_MODEL_FORMAT, versions])).slice(0, 16);
}

function snapshotsOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "snapshots");
}

function folderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "history");
}
