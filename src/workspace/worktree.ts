import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makePrivateFolder } from "../events/private-folder.ts";
import { branchOf, contains, tipOf } from "./branches.ts";
import { GitError, git, isWorkTree } from "./git.ts";
import { mergeInto, type StoppedMerge } from "./merge-into.ts";

/** What the worktree of a task is to have in it. */
export interface WorktreeOptions {
  /** The branch on which a new one begins; absent: what the project's folder has checked out. */
  readonly base?: string | undefined;
  /** Branches whose work it must have, such as those of the tasks that it depends on. Those that are not there are passed over. */
  readonly needs?: readonly NeededBranch[] | undefined;
}

/** A branch, and how its work was merged last: where it has no later work, the commit before stands for the one it became. */
export interface NeededBranch {
  readonly branch: string;
  readonly landed?: { readonly commit: string; readonly to: string } | undefined;
}

export interface Worktree {
  readonly folder: string;
  /** The merge that stopped at conflicts, whose marks are in the files; those after it were not begun. */
  readonly stopped: StoppedMerge | undefined;
}

/**
 * The worktree of a task, made where it is not there: `.ralph/worktrees/task-7`, on the branch `signalbox/task-7`. It stays
 * between sessions, and is nobody's to remove but the human's. What it needs of other branches is merged into its branch.
 *
 * @throws GitError: the project is in no repository, or git refuses; LogError `disk`: a folder is a symbolic link
 */
export async function worktreeOf(
  projectFolder: string,
  task: number,
  { base, needs = [] }: WorktreeOptions = {},
): Promise<Worktree> {
  if (!(await isWorkTree(projectFolder))) {
    throw new GitError(
      `${projectFolder} is not in a git repository, so tasks cannot have worktrees. Run \`git init\` and commit there, or set "worktrees" to false.`,
    );
  }
  const folder = worktreeFolder(projectFolder, task);
  makePrivateFolder(dirname(folder));
  for (let attempt = 1; !existsSync(join(folder, ".git")) || unfinishedSince(folder); attempt++) {
    try {
      await removeUnfinished(projectFolder, folder);
      await addWorktree(projectFolder, folder, { branch: branchOf(task), base });
    } catch (error) {
      // Another driver may be making the same one, or hold git's lock.
      if (attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS);
    }
  }
  const stopped = await mergeNeeded(folder, needs);
  // A project that lies in a subfolder of its repository lies there in the worktree too.
  return { folder: join(folder, (await git(projectFolder, ["rev-parse", "--show-prefix"])).trim()), stopped };
}

/** Where a task's worktree lies. */
export function worktreeFolder(projectFolder: string, task: number): string {
  return join(projectFolder, ".ralph", "worktrees", `task-${task}`);
}

const ATTEMPTS = 10;
const RETRY_MS = 200;
const CHECKOUT_LIMIT_MS = 600_000;

/** When git began to make a worktree that it has not finished: in milliseconds since 1970; undefined for a finished one. */
function unfinishedSince(folder: string): number | undefined {
  const link = join(folder, ".git");
  if (!statSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const lock = resolve(folder, readFileSync(link, "utf8").replace(/^gitdir: |\n$/g, ""), "locked");
  if (!existsSync(lock) || readFileSync(lock, "utf8").trim() !== "initializing") return undefined;
  return statSync(lock).mtimeMs;
}

/**
 * Removes a worktree whose making was killed: the files that it lacks would be committed as deleted. Nobody has worked in it.
 *
 * @throws GitError: it may still be in the making
 */
async function removeUnfinished(projectFolder: string, folder: string): Promise<void> {
  const since = unfinishedSince(folder);
  if (since === undefined) return;
  const remove = ["worktree", "remove", "--force", "--force", folder];
  if (Date.now() - since > CHECKOUT_LIMIT_MS) await git(projectFolder, remove);
  else
    throw new GitError(
      `git is still creating ${folder}, or was killed midway. Wait, or remove it: \`git ${remove.join(" ")}\`.`,
    );
}

async function addWorktree(
  projectFolder: string,
  folder: string,
  { branch, base }: { readonly branch: string; readonly base: string | undefined },
): Promise<void> {
  const known = await git(projectFolder, ["branch", "--list", branch, "--format=%(refname)"]);
  // Of worktrees whose folders are gone git still has notes, which would be in the way.
  await git(projectFolder, ["worktree", "prune"]);
  const start = base === undefined ? [] : [`refs/heads/${base}`];
  const how = known.trim() === "" ? ["--no-track", "-b", branch, folder, ...start] : [folder, branch];
  // With filters, such as that of LFS: its files are to be there.
  const signal = AbortSignal.timeout(CHECKOUT_LIMIT_MS);
  // Not in the user's language, since git keeps its own word for a worktree that is not finished.
  const environment = { LANGUAGE: "en" };
  await git(projectFolder, ["worktree", "add", "--quiet", ...how], { signal, environment });
}

async function mergeNeeded(
  folder: string,
  needs: readonly NeededBranch[],
): Promise<StoppedMerge | undefined> {
  for (const { branch, landed } of needs) {
    const tip = await tipOf(folder, branch);
    if (tip === undefined || (await contains(folder, "HEAD", tip))) continue;
    // Merged into the base it is another commit, with the same work.
    if (landed?.to === tip && (await contains(folder, "HEAD", landed.commit))) continue;
    const stopped = await mergeInto(folder, branch);
    if (stopped) return stopped;
  }
  return undefined;
}
