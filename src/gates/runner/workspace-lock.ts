import { hash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LeftBehind } from "../../events/types/command-result.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { endProcesses } from "./end-processes.ts";
import { orphansOf } from "./family.ts";
import { takeFileLock } from "./file-lock.ts";
import { forgetHolder, hasDied, type LockHolder, noteHolder, readHolder } from "./lock-holder.ts";

export interface LockOptions {
  /**
   * The folder of the lock; by default `.ralph/run` of the workspace. The lock of a worktree is in
   * its project.
   */
  readonly runFolder?: string | undefined;
  /** The purpose, shown to waiting processes: `gate 1 of task 7`. */
  readonly purpose?: string | undefined;
  /**
   * Called when another process has the lock, and again for a new holder; with undefined if the
   * holder is unknown.
   */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
  /**
   * Called if the last holder died, with the leftover processes of its commands, which were killed.
   */
  readonly onTakeover?: ((holder: LockHolder, ended: readonly LeftBehind[]) => void) | undefined;
  /** Aborts the waiting, but not running work. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs some work with exclusive use of a workspace, across processes. Waits as long as necessary.
 * The work must not take the lock again.
 *
 * The lock ends with its process, however that ends, and two processes can never have it
 * (`file-lock.ts`). A dead runner's command may still run; it is killed before the work begins, so
 * that two commands never run in one workspace (Linux).
 *
 * @throws the error of `work`; the abort reason of `signal`; Error from the system
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

/** The lock's folder for a workspace that is a project's folder. */
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

/** One name per workspace, by any path. It has a dot, unlike the session folders beside it. */
function lockName(folder: string): string {
  return `gates.${hash("sha256", realpathSync(folder)).slice(0, 16)}.lock`;
}

const LOOK_MS = 100;
