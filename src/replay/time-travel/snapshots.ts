import { randomUUID } from "node:crypto";
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { eventAt } from "../../events/event-at.ts";
import type { EventLog } from "../../events/log.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { makePrivateFolder } from "../../private-folder.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { encodeSnapshot, readSnapshot } from "./snapshot-file.ts";

/** How much of the disk snapshots may take. */
const SNAPSHOT_LIMITS = { count: 64, bytes: 4 * 1024 ** 3 } as const;

/** Read models at some positions, kept as files. A cache: the folder can be deleted at any time. */
export interface Snapshots {
  /**
   * The last one at or before the head of `log`, as a read model in memory, or undefined. One that is damaged, of another log,
   * made by another version or before a redaction is not used, said to `warn`, and removed.
   *
   * @param redactions how many the whole log has, of which `log` may be a prefix
   */
  before(log: EventLog, redactions: number): Promise<{ readModel: ReadModel; position: number } | undefined>;
  /**
   * Begins one. To be called before the log is read: `dropSnapshots` then takes it along.
   *
   * @param redactions how many the whole log has
   */
  begin(redactions: number): UnfinishedSnapshot;
  /** Those that there are, by position. */
  list(): SnapshotFile[];
}

interface SnapshotFile {
  readonly position: number;
  readonly bytes: number;
}

interface UnfinishedSnapshot {
  /** Keeps a read model, and lets go of others where there are too many. True if it is kept. */
  finish(readModel: ReadModel): boolean;
  /** To be called in the end, whether it was finished or not. */
  giveUp(): void;
}

/**
 * The snapshots of a project. Where their folder cannot be written to, there are none.
 *
 * @param readModelPath `.ralph/db/ralph.db`; snapshots lie in `.ralph/snapshots`
 * @param warn is told, in a sentence, which snapshot was not used and why
 */
export function openSnapshots(
  readModelPath: string,
  warn: (sentence: string) => void,
  limits: { readonly count: number; readonly bytes: number } = SNAPSHOT_LIMITS,
): Snapshots {
  const folder = folderOf(readModelPath);
  return {
    async before(log, redactions) {
      const head = await log.head();
      for (const { position } of list(folder).reverse()) {
        if (position > head) continue;
        try {
          const path = pathOf(folder, position);
          return { readModel: await readSnapshot(path, leafHashesOf(log), redactions), position };
        } catch (error) {
          if (isAbsent(error)) continue;
          const why = error instanceof Error ? error.message : String(error);
          warn(`The snapshot of position ${position} was not used, and is removed: ${why}.`);
          remove(pathOf(folder, position));
        }
      }
      return undefined;
    },
    begin: (redactions) => begin(folder, limits, redactions),
    list: () => list(folder),
  };
}

/**
 * Removes all snapshots of a project, and those that some process is making just now: what they hold may be what must be
 * nowhere any more.
 *
 * @throws Error of the system: the folder cannot be removed
 */
export function dropSnapshots(readModelPath: string): void {
  rmSync(folderOf(readModelPath), { recursive: true, force: true });
}

function begin(
  folder: string,
  limits: { count: number; bytes: number },
  redactions: number,
): UnfinishedSnapshot {
  const unfinished = join(folder, `${process.pid}-${randomUUID()}${UNFINISHED}`);
  let file: number | undefined;
  try {
    makePrivateFolder(folder);
    removeAbandoned(folder);
    file = openSync(unfinished, "wx", 0o600);
  } catch {
    // A project that only others may write to: it is travelled without snapshots.
  }
  return {
    finish(readModel) {
      const parts = file === undefined ? undefined : encodeSnapshot(readModel, redactions);
      if (file === undefined || !parts) return false;
      try {
        for (const part of parts) writeWholly(file, part);
        renameSync(unfinished, pathOf(folder, readModel.position()));
        thin(folder, limits, readModel.position());
        return true;
      } catch {
        // No room on the disk, or the snapshots were dropped meanwhile: both leave everything as it was without one.
        return false;
      }
    },
    giveUp() {
      if (file !== undefined) closeSync(file);
      remove(unfinished);
    },
  };
}

function writeWholly(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** What a process has left behind that was killed while it made a snapshot. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(name.split("-")[0]);
    if (name.endsWith(UNFINISHED) && !isRunning(pid)) remove(join(folder, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Removes, while there are too many, the one whose neighbours are nearest to each other, the older one of two such. */
function thin(folder: string, limits: { count: number; bytes: number }, newest: number): void {
  const files = list(folder);
  const bytes = () => files.reduce((sum, file) => sum + file.bytes, 0);
  while (files.length > 1 && (files.length > limits.count || bytes() > limits.bytes)) {
    const gaps = files.map(({ position }, index) =>
      position === newest
        ? Number.POSITIVE_INFINITY
        : (files[index + 1]?.position ?? position) - (files[index - 1]?.position ?? 0),
    );
    const [removed] = files.splice(gaps.indexOf(Math.min(...gaps)), 1);
    if (removed) remove(pathOf(folder, removed.position));
  }
}

function list(folder: string): SnapshotFile[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, position] = /^(\d+)\.snapshot$/.exec(name) ?? [];
      const file = statSync(join(folder, name), { throwIfNoEntry: false });
      return position === undefined || !file ? [] : [{ position: Number(position), bytes: file.size }];
    })
    .sort((a, b) => a.position - b.position);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none, or it is not ours to read.
    return [];
  }
}

function leafHashesOf(log: EventLog): (position: number) => Promise<string | undefined> {
  return async (position) => (await eventAt(log, position))?.leafHash;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** One that cannot be removed is not used either. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // In a project of somebody else.
  }
}

const UNFINISHED = ".unfinished";

function pathOf(folder: string, position: number): string {
  return join(folder, `${position}.snapshot`);
}

function folderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "snapshots");
}
