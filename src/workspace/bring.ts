import {
  constants,
  copyFileSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isIn } from "../lib/is-in.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { GitError, git, tryGit } from "./git.ts";
import { isOwn } from "./own-files.ts";

/** What a new worktree gets from the project's checkout, though git has it nowhere. */
export interface Brought {
  /** Patterns of ignored files to copy, as in a `.gitignore`. */
  readonly copy: readonly string[];
  /** Ignored folders to link, relative to the project's folder. */
  readonly share: readonly string[];
}

/**
 * Brings ignored files and folders of the checkout into a worktree. What is there already stays, so that it can be repeated.
 *
 * @param root the project's folder
 * @param folder the same folder in the worktree
 * @throws GitError: one of the folders to share is not ignored; a system error
 */
export async function bring(root: string, folder: string, { copy, share }: Brought): Promise<void> {
  for (const path of await ignoredFiles(root, copy)) {
    const to = freePlace(folder, path);
    if (to !== undefined) copyFile(join(root, path), to);
  }
  for (const path of share) await link(root, folder, path);
}

/** Files that git ignores and one of the patterns names; not those of `.ralph/`. */
async function ignoredFiles(root: string, patterns: readonly string[]): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const named = patterns.map((pattern) => `--exclude=${pattern}`);
  const found = await git(root, ["ls-files", "-z", "--others", "--ignored", ...named]);
  // Without ignored files among them git exits with 1.
  const ignored = (await tryGit(root, ["check-ignore", "-z", "--stdin"], { input: found })) ?? "";
  return ignored.split("\0").filter((path) => path !== "" && !isOwn(path, ""));
}

/** Undefined: something is there, or a link of the branch would lead it out of the worktree. */
function freePlace(folder: string, path: string): string | undefined {
  const to = join(folder, path);
  if (lstatSync(to, { throwIfNoEntry: false })) return undefined;
  for (let parent = dirname(to); parent !== folder; parent = dirname(parent)) {
    const stats = lstatSync(parent, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) return undefined;
  }
  makePrivateFolder(dirname(to));
  return to;
}

/** Shares the blocks where the file system can. Sockets and the like are left out. */
function copyFile(from: string, to: string): void {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  if (!stats?.isFile()) return;
  // Killed midway, a copy is not taken for the file.
  const part = `${to}.signalbox-part`;
  rmSync(part, { force: true });
  copyFileSync(from, part, constants.COPYFILE_FICLONE);
  renameSync(part, to);
}

async function link(root: string, folder: string, path: string): Promise<void> {
  const from = join(root, path);
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new GitError(`"worktrees.share" names ${path}, which is no folder.`);
  if (!isIn(realpathSync(root), realpathSync(stats ? from : dirname(from))))
    throw new GitError(`"worktrees.share" names ${path}, which leads out of ${root}. Name a folder in it.`);
  if (!stats) makePrivateFolder(from);
  // A pattern that ends with "/" names folders alone, not a link in the place of one.
  if ((await tryGit(folder, ["check-ignore", "--quiet", "--", path])) === undefined)
    throw new GitError(
      `git does not ignore ${path} in ${folder}, so an agent's commit would have the link to it that "worktrees.share" asks for. ` +
        `Add ${path} to .gitignore, without "/" at its end, and commit that.`,
    );
  const to = freePlace(folder, path);
  if (to !== undefined) symlinkSync(from, to, "junction");
}
