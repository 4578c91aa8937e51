import { GitError, git } from "./git.ts";
import { identity } from "./identity.ts";
import { withoutPrograms } from "./no-programs.ts";

/** A merge that stopped at conflicts: the files have their marks, and a commit ends it. */
export interface StoppedMerge {
  readonly branch: string;
  /** Relative to the top of the work tree, in the order of their names. */
  readonly files: readonly string[];
}

/**
 * Merges a branch into what a work tree has checked out, by git alone: no hook, filter or merge driver is run.
 *
 * @returns undefined where it went through
 * @throws GitError: it could not be begun, as where a file is in the way; nothing has changed then
 */
export async function mergeInto(folder: string, branch: string): Promise<StoppedMerge | undefined> {
  const environment = { ...(await withoutPrograms(folder)), ...(await identity(folder)) };
  const args = ["merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "--no-autostash"];
  try {
    await git(folder, [...args, "-m", `Merge ${branch}`, `refs/heads/${branch}`], { environment });
    return undefined;
  } catch (error) {
    const files = await unmergedIn(folder);
    if (!(error instanceof GitError) || files.length === 0) throw error;
    return { branch, files };
  }
}

/** The files of a work tree whose merge is not finished. @throws GitError */
async function unmergedIn(folder: string): Promise<string[]> {
  const listed = await git(folder, ["diff", "--name-only", "--diff-filter=U", "--no-relative", "-z"]);
  return listed
    .split("\0")
    .filter((path) => path !== "")
    .sort();
}
