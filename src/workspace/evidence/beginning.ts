import { existsSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { z } from "zod";
import { baseBranch, branchOf } from "../branches.ts";
import { GitError } from "../git.ts";
import { readRegular } from "../regular-file.ts";
import type { Look, Workspace } from "../workspace.ts";
import { around, aroundOf } from "./outside.ts";

/** The full id of a commit or a tree, as git tells it. */
export const gitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** A workspace when its session began, as far as its end is compared with it. */
export const beginning = z.object({
  /** The folder in which git keeps the worktree. */
  git_dir: z.string(),
  /** The workspace in its repository: `app/`. */
  prefix: z.string().default(""),
  head: gitId,
  /** The tree of all files, those that are not committed too. */
  tree: gitId,
  /** The repositories in it, submodules or not. */
  nested: z.array(z.string()),
  /** The task's own branch; null where it has no worktree of its own. */
  branch: z.string().nullable(),
  /** The branch into which the task's is merged. */
  base: z.string().nullable(),
  /** What the task's branch and its base had in common when the work that is not merged yet began. */
  fork: gitId.nullable(),
  /** The branch's commit then, with what came from dependencies; absent: `head`. */
  begun: gitId.optional(),
  stashes: z.array(gitId),
  /** How often HEAD had moved. */
  moves: z.int().min(0),
  /** What git leaves in its folder until a merge or the like has finished. */
  unfinished: z.array(z.string()),
  /** The clone's own ignore rules, which no commit has. */
  excludes: z.string(),
  /** What decides whether the task's gates pass. */
  checks: z
    .object({
      protect: z.array(z.string()),
      commands: z.array(z.string()),
      /** What the task makes, as globs: it judges nothing. */
      makes: z.array(z.string()),
      /** In which they run, relative to the top of the repository. */
      folder: z.string(),
    })
    .optional(),
  /** The rest of the repository; absent without a worktree of the task's own. */
  around: around.optional(),
});
export type Beginning = z.infer<typeof beginning>;

/**
 * Looks at a folder before an agent works there.
 *
 * @throws GitError: among others where there is no commit yet
 */
export async function beginningOf(
  { ask }: Pick<Workspace, "ask">,
  { tree, nested }: Pick<Look, "tree" | "nested">,
  { own, checks }: { readonly own: Own | undefined; readonly checks: Checks | undefined },
): Promise<Beginning> {
  const told = await ask(["rev-parse", "--absolute-git-dir", "HEAD^{commit}", "--show-prefix"]);
  const [git_dir = "", head = "", prefix = ""] = told.split("\n");
  const base = own ? await baseBranch(own.root, own.base) : null;
  const common = base === null ? undefined : await commonOf(ask, "HEAD", `refs/heads/${base}`);
  // Where all of it is merged, it begins anew.
  const fork = common === head ? common : (own?.fork ?? common);
  return {
    ...{ git_dir, prefix, head, tree, nested: [...nested], base },
    branch: own ? branchOf(own.task) : null,
    fork: fork ?? null,
    ...(common !== head && own?.begun !== undefined && { begun: own.begun }),
    stashes: (await stashesOf(ask)).map(({ commit: id }) => id),
    moves: movesOf(git_dir).length,
    unfinished: UNFINISHED.map(([mark]) => mark).filter((mark) => existsSync(join(git_dir, mark))),
    excludes: excludesOf(git_dir),
    ...(checks && { checks: { ...checks, folder: posix.join(prefix, checks.folder) } }),
    ...(own && { around: await aroundOf(own.root, { task: own.task, base }).catch(() => undefined) }),
  };
}

/** What decides whether gates pass: paths as globs, command lines, and the folder where they run, relative to the workspace. */
type Checks = NonNullable<Beginning["checks"]>;

/** What git leaves in its folder until it has finished, and how to finish. */
export const UNFINISHED = [
  ["rebase-merge", "rebase", "git rebase --continue"],
  ["rebase-apply/applying", "patch", "git am --continue"],
  ["rebase-apply", "rebase", "git rebase --continue"],
  ["MERGE_HEAD", "merge", "git commit --no-edit"],
  ["CHERRY_PICK_HEAD", "cherry-pick", "git cherry-pick --continue"],
  ["REVERT_HEAD", "revert", "git revert --continue"],
] as const;

/** The worktree of a task. */
interface Own {
  readonly task: number;
  /** The project's folder. */
  readonly root: string;
  /** The base's name, if one is configured. */
  readonly base: string | undefined;
  /** Of its last session, if there was one. */
  readonly fork: string | undefined;
  /** The branch's commit when the work since then began. */
  readonly begun?: string | undefined;
}

/** Runs git with no program of the repository. @throws GitError */
export type Ask = Workspace["ask"];

/** The same, or undefined where git fails: for what may not exist. */
export async function tryAsk(ask: Ask, args: readonly string[], input?: string): Promise<string | undefined> {
  try {
    return await ask(args, input);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The last commit that two have in common. */
export async function commonOf(ask: Ask, one: string, other: string): Promise<string | undefined> {
  return (await tryAsk(ask, ["merge-base", one, other]))?.trim();
}

/** The commit that a name stands for; undefined if there is none. */
export async function commitOf(ask: Ask, name: string): Promise<string | undefined> {
  const [commit] = await commitsOf(ask, [name]);
  return commit;
}

/** The same of several names at once. */
export async function commitsOf(ask: Ask, names: readonly string[]): Promise<(string | undefined)[]> {
  const input = names.map((name) => `${name}^{commit}\n`).join("");
  const told = ((await tryAsk(ask, ["cat-file", "--batch-check=%(objectname)"], input)) ?? "").split("\n");
  return names.map((_, nth) => gitId.safeParse(told[nth]).data);
}

/** A stash, which all worktrees of a repository share. */
interface Stash {
  readonly commit: string;
  /** As git words it: `WIP on main: 3f2a0c6 Begin`. */
  readonly says: string;
}

export async function stashesOf(ask: Ask): Promise<Stash[]> {
  // A signature would be checked by a program of the repository's choice.
  const list = ["-c", "log.showSignature=false", "stash", "list", "-z", "--format=%H %gs"];
  const listed = (await tryAsk(ask, list)) ?? "";
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
const EXCLUDES_LIMIT = 200_000;
