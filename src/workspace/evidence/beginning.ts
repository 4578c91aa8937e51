import { join, resolve } from "node:path";
import { z } from "zod";
import { baseBranch, branchOf } from "../branches.ts";
import { git, tryGit } from "../git.ts";
import { readRegular } from "../regular-file.ts";
import type { Look } from "../workspace.ts";

const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** A workspace when its session began, as far as its end is compared with it. */
export const beginning = z.object({
  /** The folder in which git keeps the worktree. */
  git_dir: z.string(),
  head: commit,
  /** The tree of all files, those that are not committed too. */
  tree: commit,
  /** The repositories in it, submodules or not. */
  nested: z.array(z.string()),
  /** The task's own branch; null where it has no worktree of its own. */
  branch: z.string().nullable(),
  /** The branch into which the task's is merged. */
  base: z.string().nullable(),
  /** What the task's branch and its base had in common when its first session began. */
  fork: commit.nullable(),
  stashes: z.array(commit),
  /** How often HEAD had moved. */
  moves: z.int().min(0),
  /** The clone's own ignore rules, which no commit has. */
  excludes: z.string(),
});
export type Beginning = z.infer<typeof beginning>;

/**
 * Looks at a folder before an agent works there.
 *
 * @throws GitError: among others where there is no commit yet
 */
export async function beginningOf(
  folder: string,
  { tree, nested }: Pick<Look, "tree" | "nested">,
  own: Own | undefined,
): Promise<Beginning> {
  const told = await git(folder, ["rev-parse", "--absolute-git-dir", "HEAD^{commit}"]);
  const [git_dir = "", head = ""] = told.trim().split("\n");
  const base = own ? await baseBranch(own.root, own.base) : null;
  return {
    ...{ git_dir, head, tree, nested: [...nested], base },
    branch: own ? branchOf(own.task) : null,
    fork: base === null ? null : (own?.fork ?? (await commonOf(folder, "HEAD", base)) ?? null),
    stashes: (await stashesOf(folder)).map(({ commit: id }) => id),
    moves: movesOf(git_dir).length,
    excludes: excludesOf(git_dir),
  };
}

/** The worktree of a task. */
interface Own {
  readonly task: number;
  /** The project's folder. */
  readonly root: string;
  /** The base's name, if one is configured. */
  readonly base: string | undefined;
  /** Of its first session, if there was one. */
  readonly fork: string | undefined;
}

/** The last commit that a commit and a branch have in common. */
export async function commonOf(folder: string, one: string, branch: string): Promise<string | undefined> {
  return (await tryGit(folder, ["merge-base", one, `refs/heads/${branch}`]))?.trim();
}

/** A stash, which all worktrees of a repository share. */
interface Stash {
  readonly commit: string;
  /** As git words it: `WIP on main: 3f2a0c6 Begin`. */
  readonly says: string;
}

export async function stashesOf(folder: string): Promise<Stash[]> {
  const listed = (await tryGit(folder, ["stash", "list", "-z", "--format=%H %gs"])) ?? "";
  return listed.split("\0").flatMap((entry) => {
    const [id = "", ...says] = entry.split(" ");
    return id === "" ? [] : [{ commit: id, says: says.join(" ") }];
  });
}

/** How a worktree's HEAD moved, the oldest first, as git's log of it has it: `OLD NEW NAME <ADDRESS> TIME ZONE\tWHY`. */
export function movesOf(gitDir: string): string[] {
  const log = readRegular(join(gitDir, "logs", "HEAD"))?.toString() ?? "";
  return log.split("\n").filter((entry) => entry !== "");
}

export function excludesOf(gitDir: string): string {
  // A worktree's folder names that of its clone.
  const common = readRegular(join(gitDir, "commondir"))?.toString().trim() ?? ".";
  const path = join(resolve(gitDir, common), "info", "exclude");
  return readRegular(path)?.toString().slice(0, EXCLUDES_LIMIT) ?? "";
}

/** In characters. */
const EXCLUDES_LIMIT = 20_000;
