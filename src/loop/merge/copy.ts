import { join } from "node:path";
import type { LockHolder } from "../../gates/runner/lock-holder.ts";
import { withWorkspaceLock } from "../../gates/runner/workspace-lock.ts";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { placeIn } from "../../workspace/git.ts";
import { checkOut } from "../../workspace/merged-commit.ts";
import { fillSubmodules } from "../../workspace/submodules.ts";
import { addDetached, copyFolder, removeDetached } from "../../workspace/worktree.ts";
import { rootOf } from "./commit-work.ts";
import { LOCK_FILES } from "./lock-files.ts";
import { type Preparing, prepareWorktree } from "./setup.ts";

/** A worktree that is thrown away. */
export interface Copy {
  /** The project's folder in it. */
  readonly folder: string;
  /** Its top. */
  readonly top: string;
  /** Checks a commit out, and prepares what it needs as worktrees of tasks are prepared. @throws GitError, SetupError */
  checkOut(commit: string): Promise<void>;
}

/**
 * Works in a worktree that is thrown away afterwards, one work of a kind at a time. Nothing in it is an agent's, and nothing that
 * happens there changes a task's worktree or branch.
 *
 * @param base what is checked out first; with isolation, nothing else is set up outside of it
 * @throws GitError, SetupError, RunnerError, a system error; the abort reason of the signal
 */
export async function inCopy<T>(
  what: Parameters<typeof copyFolder>[1],
  base: string,
  { readModelPath, ...preparing }: Omit<Preparing, "root"> & { readonly readModelPath: string },
  work: (copy: Copy) => Promise<T>,
): Promise<T> {
  const { config, task, signal } = preparing;
  const root = rootOf(readModelPath);
  const top = copyFolder(root, what);
  const place = await placeIn(root);
  const folder = join(top, place.prefix);
  const copy: Copy = {
    ...{ folder, top },
    async checkOut(commit) {
      await checkOut(top, commit);
      await fillSubmodules(place.top, top, true);
      if (commit === base || !config.gates.isolation)
        await prepareWorktree(folder, { ...preparing, root }, Object.keys(LOCK_FILES));
    },
  };
  const locked = async () => {
    // Of a driver that was killed.
    await removeDetached(root, top);
    try {
      await addDetached(root, top);
      await copy.checkOut(base);
      return await work(copy);
    } finally {
      await removeDetached(root, top);
    }
  };
  makePrivateFolder(top);
  const purpose = `gates of task ${task} in a copy`;
  let isTold = false;
  const onWait = (holder: LockHolder | undefined) => {
    // It has just been taken, or is about to be free.
    if (isTold || holder?.purpose === undefined) return;
    isTold = true;
    preparing.tell({ step: "copy_awaited", task, holder: holder.purpose });
  };
  const runFolder = runFolderBeside(readModelPath);
  return withWorkspaceLock(top, locked, { runFolder, purpose, onWait, signal });
}
