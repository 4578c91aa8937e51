import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A git command that failed; `message` has its own words. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/**
 * Runs git in a folder and returns what it printed.
 *
 * @throws GitError
 */
export async function git(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run("git", ["-C", folder, ...args], {
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", ...environment },
      maxBuffer: OUTPUT_LIMIT,
    });
    return stdout;
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new GitError(said || (cause instanceof Error ? cause.message : String(cause)), { cause });
  }
}

/** True where a folder is in the work tree of a git repository, and git is there. */
export async function isWorkTree(folder: string): Promise<boolean> {
  try {
    return (await git(folder, ["rev-parse", "--is-inside-work-tree"])).trim() === "true";
  } catch {
    return false;
  }
}

/** True where git would take a file along: it is in a work tree, and not ignored. */
export async function isSeenByGit(path: string): Promise<boolean> {
  const folder = dirname(path);
  if (!(await isWorkTree(folder))) return false;
  try {
    await git(folder, ["check-ignore", "--quiet", "--", path]);
    return false;
  } catch {
    return true;
  }
}

const OUTPUT_LIMIT = 64 * 1024 * 1024;
