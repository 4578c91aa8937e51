import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { platform } from "../lib/platform/here.ts";
import { counted } from "../lib/readable.ts";
import { branchOf, contains, tipOf } from "./branches.ts";
import { changesIn } from "./changes.ts";
import { git, gitPath, tryGit } from "./git.ts";
import { withoutPrograms } from "./no-programs.ts";
import { preparedFile } from "./prepared-file.ts";
import { worktreeFolder } from "./worktree.ts";

/** Where the work of a task has landed, if it was merged: its commits have other ids there. */
export type LandedAs = { readonly commit: string; readonly to: string };

/**
 * What a task's worktree and branch hold that is not in the base, each in a few words; empty: they can be removed. Ignored files
 * are no work, but a repository among them may hold some.
 *
 * @param root the project's folder
 * @param base the branch into which tasks are merged
 * @throws GitError; a system error
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
  const own = (await git(folder, ["rev-parse", "--absolute-git-dir"])).trimEnd();
  for (const name of UNFINISHED) if (existsSync(join(own, name))) left.push(`${name} in its git folder`);
  const hidden = (await git(folder, ["ls-files", "-v", "-z"]))
    .split("\0")
    .filter((line) => isHidden(folder, line));
  const changes = (await changesIn(folder, await withoutPrograms(folder))).map(({ path }) => path);
  const files = [...changes, ...hidden.map((line) => line.slice(2))];
  if (files.length > 0) left.push(`${counted(files.length, "file")} that no commit has, such as ${files[0]}`);
  if ((await git(folder, ["for-each-ref", "refs/worktree/", "refs/bisect/"])) !== "")
    left.push("refs of its own");
  // The rest takes long where packages are installed.
  if (left.length > 0) return left;
  for (const path of repositoriesIn(folder))
    if (!(await isCloned(root, join(folder, path)))) left.push(`the repository ${path}`);
  return left;
}

/** A file in which git was told to look for no changes; a line of `ls-files -v`. */
function isHidden(folder: string, line: string): boolean {
  return /^[a-z] /.test(line) || (line.startsWith("S ") && existsSync(join(folder, line.slice(2))));
}

/** In git's folder of the worktree while one is not finished, or the worktree is locked. */
const UNFINISHED = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "BISECT_LOG",
  "locked",
];

async function isIn(root: string, onto: string, tip: string, landed: readonly LandedAs[]): Promise<boolean> {
  if (await contains(root, onto, tip)) return true;
  for (const { commit, to } of landed) if (commit === tip && (await contains(root, onto, to))) return true;
  return false;
}

/** The repositories in a worktree, relative to its top: submodules, and others, bare or not. */
function repositoriesIn(top: string, within = ""): string[] {
  const entries = readdirSync(join(top, within), { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const isBare = within !== "" && ["HEAD", "objects", "refs"].every((name) => names.has(name));
  if (isBare) return [within];
  const deeper = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
  return [
    ...(within !== "" && names.has(".git") ? [within] : []),
    ...deeper.flatMap(({ name }) => repositoriesIn(top, join(within, name))),
  ];
}

/** Whether a repository is a submodule without changes, and the checkout's clone of it has all commits that it names. */
async function isCloned(root: string, repository: string): Promise<boolean> {
  const clone = await cloneOf(root, repository);
  if (clone === undefined) return false;
  if ((await changesIn(repository, await withoutPrograms(repository))).length > 0) return false;
  const tips = (await tryGit(repository, ["for-each-ref", "--format=%(objectname)"])) ?? "";
  const head = (await tryGit(repository, ["rev-parse", "HEAD"])) ?? "";
  for (const commit of new Set(`${head}\n${tips}`.split("\n").filter((line) => line !== "")))
    if ((await tryGit(root, [`--git-dir=${clone}`, "cat-file", "-e", commit])) === undefined) return false;
  return true;
}

/** The checkout's clone of a submodule in a worktree; undefined for another repository. */
async function cloneOf(root: string, repository: string): Promise<string | undefined> {
  const own = (await tryGit(repository, ["rev-parse", "--absolute-git-dir"]))?.trimEnd();
  const [, name] = /[/\\]worktrees[/\\][^/\\]+[/\\](modules[/\\].+)$/.exec(own ?? "") ?? [];
  return name === undefined ? undefined : gitPath(root, name);
}

/**
 * Removes the worktree and the branch of a task of which nothing is left. Git looks once more, and removes no worktree that
 * has changed meanwhile.
 *
 * @throws GitError: it has changed; a system error
 */
export async function removeWorktree(root: string, task: number): Promise<void> {
  const folder = worktreeFolder(root, task);
  const branch = branchOf(task);
  const tip = await tipOf(root, branch);
  if (existsSync(folder)) {
    if (platform().system === "win32") unlinkFolders(folder);
    // Of a worktree with submodules git only takes the word of whoever removes it.
    const force = existsSync(join(folder, ".gitmodules")) ? ["--force"] : [];
    await git(root, ["worktree", "remove", ...force, "--", folder], {
      environment: await withoutPrograms(root),
    });
  }
  rmSync(preparedFile(folder), { force: true });
  if (tip !== undefined) await git(root, ["update-ref", "-d", `refs/heads/${branch}`, tip]);
}

/** Git for Windows before 2.54 removes what a junction leads to: a shared folder of the checkout. */
function unlinkFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && isAbsolute(readlinkSync(path))) rmSync(path);
    else if (entry.isDirectory()) unlinkFolders(path);
  }
}

/** Below it is what is kept of a task; in a submodule it is the kept commit itself. */
export const keptRef = (task: number): string => `refs/signalbox/task-${task}`;

/**
 * Keeps commits of a task whose branch moves on or goes, so that what its sessions did can be shown: under a name that is no
 * branch. Nothing else depends on it, so a failure is ignored.
 */
export async function keepCommit(root: string, task: number, commit: string): Promise<void> {
  await tryGit(root, ["update-ref", `${keptRef(task)}/${commit}`, commit]);
}

/** The bytes of a folder's files, as the disk has them; links count as themselves. Missing: 0. */
export function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // An agent may be removing it.
  if (!stats) return 0;
  const own = stats.blocks === 0 ? stats.size : stats.blocks * 512;
  if (!stats.isDirectory()) return own / stats.nlink;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
