import { existsSync } from "node:fs";
import { GitError, git, tryGit } from "./git.ts";
import { readRegular } from "./regular-file.ts";

/** The branch on which a task is worked on in a worktree of its own. */
export const branchOf = (task: number): string => `signalbox/task-${task}`;

/**
 * The base branch: the named one, or the one checked out in the project's folder. @throws GitError
 */
export async function baseBranch(projectFolder: string, named: string | undefined): Promise<string> {
  const base = named ?? (await tryGit(projectFolder, ["symbolic-ref", "--quiet", "--short", "HEAD"]))?.trim();
  if (base === undefined) {
    throw new GitError(
      `${projectFolder} has no branch checked out to merge into. Name one: "worktrees": {"base": "main"}.`,
    );
  }
  if ((await tipOf(projectFolder, base)) !== undefined) return base;
  throw new GitError(
    `There is no branch "${base}" with a commit in ${projectFolder}. Create it, or name another one in "worktrees.base".`,
  );
}

/** The last commit of a branch; undefined if there is no such branch. */
export async function tipOf(folder: string, branch: string): Promise<string | undefined> {
  return (
    await tryGit(folder, ["rev-parse", "--quiet", "--verify", `refs/heads/${branch}^{commit}`])
  )?.trim();
}

/** The last commits of all branches of tasks, by task. @throws GitError */
export async function taskTips(folder: string): Promise<ReadonlyMap<number, string>> {
  return tipsOfTasks(await branchTips(folder, []));
}

/** The last commits of all branches of tasks, and of these others, by branch. @throws GitError */
export async function branchTips(
  folder: string,
  others: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const refs = ["signalbox/", ...others].map((name) => `refs/heads/${name}`);
  const listed = await git(folder, ["for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", ...refs]);
  return new Map(
    listed.split("\n").flatMap((line) => {
      const [branch = "", tip] = line.split(" ");
      return tip === undefined ? [] : [[branch, tip] as const];
    }),
  );
}

/** Of these branches those of tasks, by task. */
export function tipsOfTasks(tips: ReadonlyMap<string, string>): ReadonlyMap<number, string> {
  return new Map(
    [...tips].flatMap(([branch, tip]) => {
      const [, task] = /^signalbox\/task-(\d+)$/.exec(branch) ?? [];
      return task === undefined ? [] : [[Number(task), tip] as const];
    }),
  );
}

/** Whether a commit is another one or has it in its history. */
export async function contains(folder: string, commit: string, other: string): Promise<boolean> {
  return (await tryGit(folder, ["merge-base", "--is-ancestor", other, commit])) !== undefined;
}

/** The worktree that has a branch checked out; undefined if none does. @throws GitError */
export async function checkoutOf(folder: string, branch: string): Promise<string | undefined> {
  return (await workTreesOf(folder)).find(({ lines }) => lines.includes(`branch refs/heads/${branch}`))?.top;
}

/**
 * The worktree in which a branch is being rebased, which git does not list for the branch;
 * undefined if none. @throws GitError
 */
export async function rebaseOf(folder: string, branch: string): Promise<string | undefined> {
  for (const { top, lines } of await workTreesOf(folder)) {
    if (!lines.includes("detached") || !existsSync(top)) continue;
    for (const kind of ["rebase-merge", "rebase-apply"]) {
      const args = ["rev-parse", "--path-format=absolute", "--git-path", `${kind}/head-name`];
      const path = (await tryGit(top, args))?.trimEnd();
      const head = path === undefined ? undefined : readRegular(path);
      if (head?.toString().trim() === `refs/heads/${branch}`) return top;
    }
  }
  return undefined;
}

async function workTreesOf(
  folder: string,
): Promise<{ readonly top: string; readonly lines: readonly string[] }[]> {
  const listed = await git(folder, ["worktree", "list", "--porcelain", "-z"]);
  return listed.split("\0\0").flatMap((entry) => {
    const lines = entry.split("\0").filter((line) => line !== "");
    const top = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    return top === undefined ? [] : [{ top, lines }];
  });
}
