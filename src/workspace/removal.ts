import { existsSync, lstatSync, type PathLike, readdirSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../lib/readable.ts";
import { branchOf, contains, tipOf } from "./branches.ts";
import { changesIn } from "./changes.ts";
import { git, tryGit } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";
import { worktreeFolder } from "./worktree.ts";

/** Where the work of a task has landed, if it was merged: its commits have other ids there. */
export type LandedAs = { readonly commit: string; readonly to: string };

/**
 * What a task's worktree and branch hold that is not in the base, each in a few words; empty: they can be removed. Ignored files
 * are no work, but a repository among them may hold some.
 *
 * @param root the project's folder
 * @param base the branch into which tasks are merged
 * @throws GitError
 */
export async function workLeft(
  root: string,
  task: number,
  { base, landed }: { readonly base: string; readonly landed: readonly LandedAs[] },
): Promise<readonly string[]> {
  const branch = branchOf(task);
  const tip = await tipOf(root, branch);
  const onto = await tipOf(root, base);
  const left: string[] = [];
  if (tip !== undefined && !(onto !== undefined && (await isIn(root, onto, tip, landed))))
    left.push(`commits that are not in ${base}`);
  const folder = worktreeFolder(root, task);
  if (!existsSync(join(folder, ".git"))) return left;
  const head = (await tryGit(folder, ["symbolic-ref", "--quiet", "HEAD"]))?.trim();
  if (head !== `refs/heads/${branch}`) left.push(`${head ?? "no branch"} checked out`);
  for (const name of UNFINISHED) {
    const path = (await git(folder, ["rev-parse", "--path-format=absolute", "--git-path", name])).trimEnd();
    if (existsSync(path)) left.push(`an unfinished ${name}`);
  }
  const changes = await changesIn(folder, await withoutPrograms(folder));
  if (changes.length > 0)
    left.push(`${counted(changes.length, "file")} that no commit has, such as ${changes[0]?.path}`);
  for (const path of repositoriesIn(folder))
    if (!(await isCloned(root, join(folder, path)))) left.push(`the repository ${path}`);
  return left;
}

/** In git's folder of the worktree while one is not finished. */
const UNFINISHED = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "BISECT_LOG",
];

async function isIn(root: string, onto: string, tip: string, landed: readonly LandedAs[]): Promise<boolean> {
  if (await contains(root, onto, tip)) return true;
  for (const { commit, to } of landed) if (commit === tip && (await contains(root, onto, to))) return true;
  return false;
}

/** Repositories in a worktree: submodules, and those that somebody cloned there. */
function repositoriesIn(top: string, within = ""): string[] {
  return readdirSync(join(top, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    if (entry.name === ".git") return within === "" ? [] : [within];
    return entry.isDirectory() ? repositoriesIn(top, path) : [];
  });
}

/** Whether the checkout's clone of a submodule has all commits that it names. */
async function isCloned(root: string, repository: string): Promise<boolean> {
  const at = async (...args: string[]) =>
    (await tryGit(repository, ["rev-parse", "--path-format=absolute", ...args]))?.trimEnd();
  const own = await at("--git-dir");
  const [, name] = /[/\\]worktrees[/\\][^/\\]+[/\\](modules[/\\].+)$/.exec(own ?? "") ?? [];
  if (own === undefined || name === undefined) return false;
  const clone = (await git(root, ["rev-parse", "--path-format=absolute", "--git-path", name])).trimEnd();
  const tips = (await tryGit(repository, ["for-each-ref", "--format=%(objectname)"])) ?? "";
  const head = (await tryGit(repository, ["rev-parse", "HEAD"])) ?? "";
  for (const commit of new Set(`${head}\n${tips}`.split("\n").filter((line) => line !== "")))
    if ((await tryGit(root, [`--git-dir=${clone}`, "cat-file", "-e", commit])) === undefined) return false;
  return true;
}

/**
 * Removes the worktree and the branch of a task of which nothing is left. Git looks once more, and removes no worktree that
 * has changed meanwhile.
 *
 * @throws GitError: it is locked, or has changed
 */
export async function removeWorktree(root: string, task: number): Promise<void> {
  const folder = worktreeFolder(root, task);
  const branch = branchOf(task);
  const tip = await tipOf(root, branch);
  if (existsSync(folder)) {
    // Of a worktree with submodules git only takes the word of whoever removes it.
    const force = existsSync(join(folder, ".gitmodules")) ? ["--force"] : [];
    await git(root, ["worktree", "remove", ...force, "--", folder], {
      environment: await withoutPrograms(root),
    });
  }
  if (tip !== undefined) await git(root, ["update-ref", "-d", `refs/heads/${branch}`, tip]);
}

/**
 * Keeps commits of a task whose branch moves on or goes, so that what its sessions did can be shown: under a name that is no
 * branch. Nothing else depends on it, so a failure is ignored.
 */
export async function keepCommit(root: string, task: number, commit: string): Promise<void> {
  await tryGit(root, ["update-ref", `refs/signalbox/task-${task}/${commit}`, commit]);
}

/** The bytes of a folder's files, as the disk has them; links count as themselves. Missing: 0. */
export function sizeOf(path: PathLike & string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  const own = stats.blocks === 0 ? stats.size : stats.blocks * 512;
  if (!stats.isDirectory()) return own / stats.nlink;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own);
}
