import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { branchOf, contains, tipOf } from "./branches.ts";
import { hasFiltered } from "./changes.ts";
import { GitError, git, isWorkTree, placeIn, tryGit } from "./git.ts";
import { mergeInto, type StoppedMerge } from "./merge-into.ts";
import { withoutPrograms } from "./no-programs.ts";
import { markNew, preparedFile } from "./prepared-file.ts";
import { readRegular } from "./regular-file.ts";
import { removeSpecialFiles } from "./special-files.ts";
import { fillSubmodules } from "./submodules.ts";

/** The required content of a task's worktree. */
export interface WorktreeOptions {
  /** The branch from which a new one starts; absent: the checkout of the project's folder. */
  readonly base?: string | undefined;
  /** Branches to merge in, such as those of the task's dependencies. Missing ones are skipped. */
  readonly needs?: readonly NeededBranch[] | undefined;
  /** Called with the project's folder in it before branches are merged in; it returns at once where it has done its work. */
  readonly prepare?: ((folder: string) => Promise<void>) | undefined;
}

/**
 * A branch, and its last merge: without later work, the commit before it stands for the merged one.
 */
export interface NeededBranch {
  readonly branch: string;
  readonly landed?: { readonly commit: string; readonly to: string } | undefined;
}

export interface Worktree {
  readonly folder: string;
  /** The merge that stopped at conflicts, with marks in the files; later merges were not begun. */
  readonly stopped: StoppedMerge | undefined;
}

/**
 * The worktree of a task, created if missing: `.ralph/worktrees/task-7`, on the branch
 * `signalbox/task-7`. It stays between sessions, until its work is merged. Other branches that
 * it needs are merged into its branch.
 *
 * @throws GitError: the project is in no repository, or git refuses; LogError `disk`: a folder is a
 * symbolic link
 */
export async function worktreeOf(
  projectFolder: string,
  task: number,
  { base, needs = [], prepare }: WorktreeOptions = {},
): Promise<Worktree> {
  if (!(await isWorkTree(projectFolder))) {
    throw new GitError(
      `${projectFolder} is not in a git repository, so tasks cannot have worktrees. Run \`git init\` and commit there, or set "worktrees" to false.`,
    );
  }
  const folder = worktreeFolder(projectFolder, task);
  makePrivateFolder(dirname(folder));
  // A killed driver's agent may have left some.
  removeSpecialFiles(folder);
  for (let attempt = 1; !existsSync(join(folder, ".git")) || unfinishedSince(folder); attempt++) {
    try {
      await removeUnfinished(projectFolder, folder);
      markNew(folder);
      await addWorktree(projectFolder, folder, { branch: branchOf(task), base });
    } catch (error) {
      // Another driver may be creating the same one, or hold git's lock.
      if (attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS);
    }
  }
  const { prefix, top } = await placeIn(projectFolder);
  // A project in a subfolder of its repository is in the same subfolder of the worktree.
  const place = join(folder, prefix);
  await fillSubmodules(top, folder);
  await prepare?.(place);
  return { folder: place, stopped: await mergeNeeded(folder, needs) };
}

/** The path of a task's worktree. */
export function worktreeFolder(projectFolder: string, task: number): string {
  return join(worktreesFolder(projectFolder), `task-${task}`);
}

/** The path of the worktree in which merges are tried. */
export function mergeFolder(projectFolder: string): string {
  return join(worktreesFolder(projectFolder), "merge");
}

/** The path of the worktree in which gates run on other files than those of an agent. */
export function copyFolder(projectFolder: string, what: (typeof COPIES)[number]): string {
  return join(worktreesFolder(projectFolder), what);
}

export const COPIES = ["base", "proof"] as const;

/** Adds a worktree on no branch, without files yet. @throws GitError */
export async function addDetached(projectFolder: string, folder: string): Promise<void> {
  makePrivateFolder(folder);
  markNew(folder);
  const args = ["worktree", "add", "--quiet", "--force", "--detach", "--no-checkout", folder, "HEAD"];
  const environment = await withoutPrograms(projectFolder);
  try {
    await git(projectFolder, args, { environment });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await git(projectFolder, ["worktree", "prune"]);
    await git(projectFolder, args, { environment });
  }
}

/** Removes it with all that is in it, and git's entry of it. @throws a system error */
export async function removeDetached(projectFolder: string, folder: string): Promise<void> {
  for (const path of [folder, preparedFile(folder)]) rmSync(path, { recursive: true, force: true });
  // Not `prune`: the folder of somebody's worktree may only be away for a moment.
  await tryGit(projectFolder, ["worktree", "remove", "--force", "--force", folder]);
}

/** The folder that has all of them. */
export function worktreesFolder(projectFolder: string): string {
  return join(projectFolder, ".ralph", "worktrees");
}

const ATTEMPTS = 10;
const RETRY_MS = 200;
const CHECKOUT_LIMIT_MS = 600_000;
/** Git's index has times in whole seconds. */
const YOUNG_MS = 1_100;

/**
 * When git began to create an unfinished worktree, in milliseconds since 1970; undefined for a
 * finished one.
 */
function unfinishedSince(folder: string): number | undefined {
  const link = join(folder, ".git");
  if (!statSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const lock = resolve(folder, readFileSync(link, "utf8").replace(/^gitdir: |\n$/g, ""), "locked");
  if (readRegular(lock)?.toString().trim() !== "initializing") return undefined;
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Removes a worktree whose creation was killed: its missing files would be committed as deleted. No
 * one has worked in it.
 *
 * @throws GitError: it may still be in creation
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
  // Git still has entries for worktrees with deleted folders, which would conflict.
  await git(projectFolder, ["worktree", "prune"]);
  const start = base === undefined ? [] : [`refs/heads/${base}`];
  const how = known.trim() === "" ? ["--no-track", "-b", branch, folder, ...start] : [folder, branch];
  // With filters, such as that of LFS: its files must be there.
  const signal = AbortSignal.timeout(CHECKOUT_LIMIT_MS);
  // In English, to recognise git's own word for an unfinished worktree.
  const environment = { LANGUAGE: "en" };
  await git(projectFolder, ["worktree", "add", "--quiet", ...how], { signal, environment });
  const filters = ["config", "--get-regexp", "^filter\\..*\\.(clean|process)$"];
  // LFS is in many users' own settings.
  if ((await tryGit(projectFolder, filters)) === undefined || !(await hasFiltered(folder))) return;
  // Files as young as the index are compared by their content, and without the filter they would all differ.
  await delay(YOUNG_MS);
  await tryGit(folder, ["update-index", "-q", "--refresh", "--force-write-index"], { signal });
}

async function mergeNeeded(
  folder: string,
  needs: readonly NeededBranch[],
): Promise<StoppedMerge | undefined> {
  for (const { branch, landed } of needs) {
    // A branch is removed once it is merged.
    const tip = (await tipOf(folder, branch)) ?? landed?.to;
    if (tip === undefined || (await contains(folder, "HEAD", tip))) continue;
    // Merged into the base it is another commit with the same changes.
    if (landed?.to === tip && (await contains(folder, "HEAD", landed.commit))) continue;
    const stopped = await mergeInto(folder, branch, tip);
    if (stopped) return stopped;
  }
  return undefined;
}
