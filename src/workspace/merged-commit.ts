import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { GitError, git, gitPath, splitNul, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { withoutPrograms } from "./no-programs.ts";

/** The inputs of a rebase onto a base. */
export interface Rebasing {
  /** A scratch worktree, whose files are discarded. */
  readonly scratch: string;
  /** The commit to rebase onto. */
  readonly onto: string;
  /** The last commit of the work. */
  readonly commit: string;
  /** Commits that landed in `onto` under other ids: they count as merged. */
  readonly landed: readonly string[];
  /** The message of the single commit, if the commits cannot be rebased one by one. */
  readonly message: string;
  readonly author?: string | undefined;
}

export type Rebased = { readonly commit: string } | { readonly conflicts: readonly string[] };

/**
 * Rebases work onto a base, and checks the result out in the scratch worktree. The result's files
 * are those of one merge of everything: a conflict resolved in a merge commit need not be resolved
 * again. The commits are kept if rebasing them one by one gives the same files; otherwise they
 * become one. Runs no hook, filter, merge driver or signing program.
 *
 * @throws GitError
 */
export async function rebase(rebasing: Rebasing): Promise<Rebased> {
  const { scratch, onto, commit, message, author } = rebasing;
  const who = await identity(scratch, author);
  // If a gate removed its `.git`, git would use the project's, and discard the human's files.
  const nowhereElse = { ...(await withoutPrograms(scratch)), GIT_CEILING_DIRECTORIES: dirname(scratch) };
  const environment = { ...nowhereElse, ...who };
  const run = (...args: readonly string[]) => git(scratch, args, { environment });
  await reset(scratch, onto, environment);
  const upstream = await baseWithLanded(rebasing, run);
  const merged = await mergeTree(run, upstream, commit);
  if ("conflicts" in merged) return merged;
  const { GIT_AUTHOR_NAME: _, GIT_AUTHOR_EMAIL: __, ...committer } = who;
  await tryGit(scratch, ["rebase", "--quiet", "--no-verify", "--onto", onto, upstream, commit], {
    environment: { ...nowhereElse, ...committer },
  });
  if ((await headTree(scratch)) !== merged.tree || (await isBusy(scratch))) {
    await reset(scratch, onto, environment);
    const one = (await run("commit-tree", merged.tree, "-p", onto, "-m", message)).trim();
    await run("checkout", "--quiet", "--force", "--detach", one);
  }
  return { commit: (await run("rev-parse", "--verify", "HEAD^{commit}")).trim() };
}

/** Checks a commit out in the scratch worktree. @throws GitError */
export async function checkOut(scratch: string, commit: string): Promise<void> {
  // As for a rebase.
  await reset(scratch, commit, {
    ...(await withoutPrograms(scratch)),
    GIT_CEILING_DIRECTORIES: dirname(scratch),
  });
}

/** Discards the leftovers of a dead process; ignored files, such as installed packages, stay. */
async function reset(scratch: string, commit: string, environment: Record<string, string>): Promise<void> {
  // A killed process leaves git's lock; no one else works here, since the driver holds a lock of
  // its own.
  rmSync(await gitPath(scratch, "index.lock", { environment }), { force: true });
  await tryGit(scratch, ["rebase", "--quit"], { environment });
  await git(scratch, ["checkout", "--quiet", "--force", "--detach", commit], { environment });
  await git(scratch, ["reset", "--quiet", "--hard", commit], { environment });
  await git(scratch, ["clean", "--quiet", "-d", "--force"], { environment });
}

/**
 * The base as a commit whose history also contains the work that landed under other ids, so that
 * git recognises changes that are in the base already.
 */
async function baseWithLanded(
  { scratch, onto, commit, landed }: Rebasing,
  run: (...args: readonly string[]) => Promise<string>,
): Promise<string> {
  const known: string[] = [];
  for (const other of landed)
    if ((await tryGit(scratch, ["merge-base", "--is-ancestor", other, commit])) !== undefined)
      known.push(other);
  if (known.length === 0) return onto;
  const parents = [onto, ...known].flatMap((parent) => ["-p", parent]);
  return (await run("commit-tree", `${onto}^{tree}`, ...parents, "-m", "What has landed")).trim();
}

async function mergeTree(
  run: (...args: readonly string[]) => Promise<string>,
  ours: string,
  theirs: string,
): Promise<{ readonly tree: string } | { readonly conflicts: readonly string[] }> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
  try {
    return { tree: (await run(...args)).split("\0")[0]?.trim() ?? "" };
  } catch (error) {
    if (!(error instanceof GitError) || error.exitCode !== 1) throw error;
    const [, ...files] = splitNul(error.stdout);
    return { conflicts: [...new Set(files)].sort() };
  }
}

async function headTree(scratch: string): Promise<string | undefined> {
  return (await tryGit(scratch, ["rev-parse", "--verify", "HEAD^{tree}"]))?.trim();
}

/** A stopped rebase. */
async function isBusy(scratch: string): Promise<boolean> {
  return (await tryGit(scratch, ["rev-parse", "--verify", "--quiet", "REBASE_HEAD"])) !== undefined;
}
