import { GitError, git, splitNul } from "./git.ts";
import { identity } from "./identity.ts";
import { withoutPrograms } from "./no-programs.ts";

/** A merge stopped at conflicts: the files have conflict marks, and a commit completes it. */
export interface StoppedMerge {
  readonly branch: string;
  /** Relative to the top of the worktree, sorted by name. */
  readonly files: readonly string[];
}

/**
 * Merges a branch into a worktree's checkout with git only: no hook, filter or merge driver runs.
 *
 * @param commit what is merged in its stead; absent: its last one
 * @returns undefined if it succeeded
 * @throws GitError: it could not begin, for example because a file is in the way; nothing has
 * changed then
 */
export async function mergeInto(
  folder: string,
  branch: string,
  commit = `refs/heads/${branch}`,
): Promise<StoppedMerge | undefined> {
  const environment = { ...(await withoutPrograms(folder)), ...(await identity(folder)) };
  const args = ["merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "--no-autostash"];
  try {
    await git(folder, [...args, "-m", `Merge ${branch}`, commit], { environment });
    return undefined;
  } catch (error) {
    const files = await unmergedIn((args) => git(folder, args));
    if (!(error instanceof GitError) || files.length === 0) throw error;
    return { branch, files };
  }
}

/** The unmerged files of a worktree, by its index alone: no filter runs. @param ask runs git there @throws GitError */
export async function unmergedIn(ask: (args: readonly string[]) => Promise<string>): Promise<string[]> {
  const entries = splitNul(await ask(["ls-files", "--unmerged", "--full-name", "-z", "--", ":/"]));
  return [...new Set(entries.map((entry) => entry.slice(entry.indexOf("\t") + 1)))].sort();
}
