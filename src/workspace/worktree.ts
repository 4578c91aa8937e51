import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makePrivateFolder } from "../private-folder.ts";
import { GitError, git, isWorkTree } from "./git.ts";

/** The branch on which a task is worked on in a worktree of its own. */
const branchOf = (task: number): string => `signalbox/task-${task}`;

/**
 * The worktree of a task, made where it is not there: `.ralph/worktrees/task-7`, on the branch `signalbox/task-7`. It stays
 * between sessions, with what was not committed, and is nobody's to remove but the human's, who merges the branch.
 *
 * @throws GitError: the project is in no repository, or git refuses; LogError `disk`: a folder is a symbolic link
 */
export async function worktreeOf(projectFolder: string, task: number): Promise<string> {
  if (!(await isWorkTree(projectFolder))) {
    throw new GitError(
      `${projectFolder} is in no git repository, so tasks cannot have worktrees. Run \`git init\` and commit there, or set "worktrees" to false.`,
    );
  }
  const parent = join(projectFolder, ".ralph", "worktrees");
  const folder = join(parent, `task-${task}`);
  makePrivateFolder(parent);
  for (let attempt = 1; !existsSync(join(folder, ".git")); attempt++) {
    try {
      await addWorktree(projectFolder, folder, branchOf(task));
    } catch (error) {
      // Another driver may be making the same one, or hold git's lock.
      if (attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS);
    }
  }
  // A project that lies in a subfolder of its repository lies there in the worktree too.
  return join(folder, (await git(projectFolder, ["rev-parse", "--show-prefix"])).trim());
}

const ATTEMPTS = 10;
const RETRY_MS = 200;
const CHECKOUT_LIMIT_MS = 600_000;

async function addWorktree(projectFolder: string, folder: string, branch: string): Promise<void> {
  const known = await git(projectFolder, ["branch", "--list", branch, "--format=%(refname)"]);
  // Of worktrees whose folders are gone git still has notes, which would be in the way.
  await git(projectFolder, ["worktree", "prune"]);
  const how = known.trim() === "" ? ["-b", branch, folder] : [folder, branch];
  // With filters, such as that of LFS: its files are to be there.
  const signal = AbortSignal.timeout(CHECKOUT_LIMIT_MS);
  await git(projectFolder, ["worktree", "add", "--quiet", ...how], { signal });
}
