import { hash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { makePrivateFolder } from "../../../events/private-folder.ts";
import { ralphFolderOf, touchPrivate } from "../../../events/project-folder.ts";
import { removeUnfinished } from "../../../processes/unfinished-file.ts";
import { projections } from "../../../projections/all.ts";
import { ReadModelError } from "../../../projections/read-model-error.ts";
import { READ_MODEL_FORMAT, schemaOf } from "../../../projections/schema.ts";
import { isDamage } from "./damage.ts";
import { HEAD_SQL, type HeadRow, headIn } from "./head.ts";

/*
 * `.ralph/history/` has one file, whose name begins with what made it: these reducers, this format. A file that is made anew has another name.
 * So one that is removed while others have it open is theirs until they see it, and nothing of theirs is in the way of the next one.
 */

/** The format of the file besides the projections' tables. To be raised with every change of it. */
const HISTORY_FORMAT = 3;

export interface HistoryFile {
  readonly path: string;
  /** Whether it is of this process alone, in the system's folder for such, as the project's cannot be written. */
  readonly isTemporary: boolean;
}

/**
 * The file in which the history is, or is to be made; an empty one is made where there is none. What other versions of the program have
 * left is removed.
 *
 * @param readModelPath `.ralph/db/ralph.db`, or `:memory:`
 */
export function findHistoryFile(readModelPath: string): HistoryFile {
  try {
    if (readModelPath !== ":memory:") return { path: inProject(readModelPath), isTemporary: false };
  } catch {
    // A project that only others may write to.
  }
  return { path: join(mkdtempSync(join(tmpdir(), "signalbox-history-")), newName()), isTemporary: true };
}

/** The file in which the history is, if there is one; nothing is made or removed. */
export function findMadeHistory(readModelPath: string): string | undefined {
  try {
    const folder = folderOf(readModelPath);
    const [first] = ours(folder);
    return first === undefined ? undefined : join(folder, first);
  } catch {
    // There is none, or it is not ours to read.
    return undefined;
  }
}

/**
 * Up to which event a history is made; 0 where its file has just been removed.
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
    const why = error instanceof Error ? error.message : String(error);
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

/** Removes one file, whoever has it open. */
export function removeHistoryFile({ path, isTemporary }: HistoryFile): void {
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true });
  else remove(path);
}

/**
 * Removes the history of a project, and what earlier versions kept in its place; also one that some process is making or reading just now: what it holds may be what must be nowhere any
 * more.
 *
 * @throws Error of the system: the folder cannot be removed
 */
export function dropHistory(readModelPath: string): void {
  rmSync(folderOf(readModelPath), { recursive: true, force: true, maxRetries: 5 });
  rmSync(snapshotsOf(readModelPath), { recursive: true, force: true });
}

/** Removes the snapshots that earlier versions of the program kept, up to 4 GB of them; the history is used instead. */
export function removeSnapshots(readModelPath: string): void {
  try {
    rmSync(snapshotsOf(readModelPath), { recursive: true, force: true });
  } catch {
    // In a project of somebody else.
  }
}

/** A name for a file in the project's folder that is not there yet. */
export function newHistoryPath(readModelPath: string): string {
  const folder = folderOf(readModelPath);
  makePrivateFolder(folder);
  return join(folder, newName());
}

/** Removes the histories beside one, and what imports left that were killed. */
export function removeOtherHistories(path: string): void {
  const folder = dirname(path);
  removeUnfinished(folder);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (name.endsWith(".db") && other !== path) remove(other);
  }
}

/** @throws Error of the system, LogError: it cannot be written */
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

/** The same reducers make the same rows: their versions, and the declarations of their tables. */
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
