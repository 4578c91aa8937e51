import { hash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makePrivateFolder } from "../../events/private-folder.ts";
import type { LeftBehind } from "../../events/types/command-result.ts";
import { endProcesses } from "./end-processes.ts";
import { orphansOf } from "./family.ts";
import { takeFileLock } from "./file-lock.ts";
import { forgetHolder, hasDied, type LockHolder, noteHolder, readHolder } from "./lock-holder.ts";

export interface LockOptions {
  /** Where the lock lies: `.ralph/run` of the workspace if absent. The lock of a worktree lies in that of its project. */
  readonly runFolder?: string | undefined;
  /** What it is wanted for, told to those who wait: `gate 1 of task 7`. */
  readonly purpose?: string | undefined;
  /** Called when somebody else has the lock, and again when it is another one; with undefined while it is not known who. */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
  /** Called when the holder before has died, with what its commands had left running, which has been ended. */
  readonly onTakeover?: ((holder: LockHolder, ended: readonly LeftBehind[]) => void) | undefined;
  /** Ends the waiting. Work that has begun is not stopped by it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does some work while nobody else does theirs on the same workspace, in this process or any other. It waits as long as that takes.
 * The work must not ask for the lock again.
 *
 * The lock ends with its process, however that ends, and no two can have it (`file-lock.ts`). A command whose runner has died may
 * live on; it is ended before the work begins, so that two never run in one workspace (Linux).
 *
 * @throws what `work` throws; what `signal` was aborted with; Error of the system
 */
export async function withWorkspaceLock<T>(
  folder: string,
  work: () => Promise<T>,
  { runFolder = runFolderIn(folder), purpose, onWait, onTakeover, signal }: LockOptions = {},
): Promise<T> {
  makePrivateFolder(runFolder);
  const path = join(runFolder, lockName(folder));
  const release = await waitForLock(path, onWait, signal);
  try {
    const before = readHolder(path);
    if (before && hasDied(before)) {
      const ended = await endProcesses(() => orphansOf(before.runner));
      onTakeover?.(before, ended);
    }
    noteHolder(path, purpose);
    return await work();
  } finally {
    forgetHolder(path);
    release();
  }
}

/** Where the lock of a workspace lies that is a project's folder. */
export function runFolderIn(folder: string): string {
  return join(folder, ".ralph", "run");
}

async function waitForLock(
  path: string,
  onWait: LockOptions["onWait"],
  signal: AbortSignal | undefined,
): Promise<() => void> {
  for (let told: string | undefined; ; ) {
    signal?.throwIfAborted();
    const release = takeFileLock(path);
    if (release) return release;
    const holder = readHolder(path);
    const living = holder && !hasDied(holder) ? holder : undefined;
    const name = living === undefined ? "" : `${living.runner} ${living.purpose}`;
    if (name !== told) onWait?.(living);
    told = name;
    await delay(LOOK_MS, undefined, signal && { signal }).catch(() => undefined);
  }
}

/** Of one workspace, by whatever path. It has a dot, which no session's folder beside it has. */
function lockName(folder: string): string {
  return `gates.${hash("sha256", realpathSync(folder)).slice(0, 16)}.lock`;
}

const LOOK_MS = 100;
