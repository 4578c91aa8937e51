import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, changesIn } from "./changes.ts";
import { GitError, git, gitPath, tryGit } from "./git.ts";
import { identity } from "./identity.ts";
import { withoutPrograms } from "./no-programs.ts";
import { secretByContent, secretByName } from "./secrets.ts";
import { removeSpecialFiles } from "./special-files.ts";

/** The result for the uncommitted files. */
export interface Committed {
  /** Undefined if there was nothing to commit, or nothing could be. */
  readonly commit: string | undefined;
  readonly files: number;
  /** The files left uncommitted, with reasons. */
  readonly leftOut: readonly LeftOut[];
  /** Files of an unfinished merge; while there are any, nothing is committed. */
  readonly unresolved: readonly string[];
}

interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/**
 * Commits the remaining files of a worktree to its branch, and completes a merge begun there. Runs
 * no hook, filter or signing program. Leaves out files that look like secrets, files that a filter
 * would change, and nested repositories.
 *
 * @param branch the task's; if another branch that contains it is checked out, the task's branch
 * moves there and is checked out instead: the other one may belong to someone, such as the base
 * @throws GitError
 */
export async function commitLeft(
  folder: string,
  {
    branch,
    message,
    author,
  }: { readonly branch: string; readonly message: string; readonly author?: string | undefined },
): Promise<Committed> {
  removeSpecialFiles(folder);
  const top = (await git(folder, ["rev-parse", "--show-toplevel"])).trimEnd();
  await requireNoRebase(top);
  const environment = { ...(await withoutPrograms(top)), ...(await identity(top, author)) };
  const changes = await changesIn(top, environment);
  const unresolved = changes.filter((change) => isUnresolved(top, change)).map(({ path }) => path);
  if (unresolved.length > 0) return { commit: undefined, files: 0, leftOut: [], unresolved };
  await follow(top, branch);
  const known = await knownOf(top);
  const reasons: (string | undefined)[] = [];
  // One at a time: an agent may leave tens of thousands of files.
  for (const change of changes) reasons.push(await whyLeftOut(top, change, known.has(change.path)));
  const leftOut = changes.flatMap(({ path }, place) => {
    const reason = reasons[place];
    return reason === undefined ? [] : [{ path, reason }];
  });
  const taken = changes.filter((_, place) => reasons[place] === undefined);
  const toAdd = taken.filter(({ kind }) => kind !== "removed").map(({ path }) => path);
  const byPath = (args: readonly string[], paths: readonly string[]) =>
    git(top, ["--literal-pathspecs", ...args, "--pathspec-from-file=-", "--pathspec-file-nul"], {
      environment,
      input: paths.map((path) => `${path}\0`).join(""),
    });
  // Otherwise the agent's staged files would be committed too.
  if (leftOut.length > 0)
    await byPath(
      ["reset", "--quiet"],
      leftOut.map(({ path }) => path),
    );
  if (toAdd.length > 0) await byPath(["add", "--all"], toAdd);
  const isMerge = existsSync(await gitPath(top, "MERGE_HEAD"));
  const isStaged =
    (await tryGit(top, ["diff-index", "--cached", "--quiet", "HEAD", "--"], { environment })) === undefined;
  if (!isMerge && !isStaged) return { commit: undefined, files: 0, leftOut, unresolved };
  const args = ["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=whitespace", "--file=-"];
  await git(top, args, { environment, input: message });
  const commit = (await git(top, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  return { commit, files: taken.length, leftOut, unresolved };
}

/** Moves the task's branch to the work that an agent did on its own branch. */
async function follow(top: string, branch: string): Promise<void> {
  const now = (await tryGit(top, ["symbolic-ref", "--quiet", "HEAD"]))?.trim();
  const wanted = `refs/heads/${branch}`;
  if (now === wanted) return;
  if ((await tryGit(top, ["merge-base", "--is-ancestor", wanted, "HEAD"])) === undefined) {
    throw new GitError(
      `${top} has ${now ?? "no branch"} checked out, which is not based on ${branch}. Check out ${branch} there, and merge what you want to keep.`,
    );
  }
  await git(top, ["update-ref", wanted, "HEAD"]);
  await git(top, ["symbolic-ref", "HEAD", wanted]);
}

async function requireNoRebase(top: string): Promise<void> {
  for (const name of ["rebase-merge", "rebase-apply"]) {
    if (existsSync(await gitPath(top, name)))
      throw new GitError(
        `A rebase is in progress in ${top}. Finish it there, or stop it with \`git rebase --abort\`.`,
      );
  }
}

/** A merged file that still contains conflict marks. */
function isUnresolved(top: string, { kind, path }: Change): boolean {
  return kind === "unmerged" && /^(?:<{7} |>{7} )/m.test(contentOf(top, path) ?? "");
}

/** The files of the last commit; none if there is no commit. */
async function knownOf(top: string): Promise<ReadonlySet<string>> {
  return new Set((await tryGit(top, ["ls-tree", "-r", "-z", "--name-only", "HEAD"]))?.split("\0"));
}

async function whyLeftOut(
  top: string,
  { path, kind, filter }: Change,
  isKnown: boolean,
): Promise<string | undefined> {
  if (path.endsWith("/")) return "it is a repository itself";
  const content = contentOf(top, path);
  if (content === undefined) return undefined;
  const secret = (isKnown ? undefined : secretByName(path)) ?? secretByContent(content);
  if (secret !== undefined && !(isKnown && secretByContent(await committed(top, path)) !== undefined))
    return secret;
  if (filter !== undefined && kind !== "unmerged")
    return `its git filter "${filter}" is not run, so it was not committed`;
  return undefined;
}

async function committed(top: string, path: string): Promise<string> {
  return (await tryGit(top, ["cat-file", "blob", `HEAD:${path}`])) ?? "";
}

/** Undefined if it is missing or not a file. */
function contentOf(top: string, path: string): string | undefined {
  const stats = lstatSync(join(top, path), { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  return stats.size > READ_LIMIT ? "" : readFileSync(join(top, path), "latin1");
}

/** A longer file is not a key. */
const READ_LIMIT = 4 * 1024 * 1024;
