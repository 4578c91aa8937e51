import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { worktreesOf } from "../../config/schema.ts";
import { withWorkspaceLock } from "../../gates/runner/workspace-lock.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { fromSqlTime } from "../../lib/time.ts";
import { baseBranch, branchOf, taskTips } from "../../workspace/branches.ts";
import { GitError, git, isWorkTree, tryGit } from "../../workspace/git.ts";
import { removeWorktree, workLeft } from "../../workspace/removal.ts";
import { worktreeFolder } from "../../workspace/worktree.ts";
import type { Step } from "../steps.ts";
import { rootOf } from "./commit-work.ts";

/** A task's worktree and branch, or what is there of the two. */
export interface TaskWorktree {
  readonly task: number;
  readonly title: string | null;
  /** The task's status; null: it was deleted. */
  readonly status: string | null;
  /** Null: there is only the branch. */
  readonly folder: string | null;
  readonly branch: string;
  /** Why it stays, each in a few words; empty: its work is in the base, and nothing is left in it. */
  readonly left: readonly string[];
  /** When its task got its status, in microseconds since 1970; undefined for a deleted one. */
  readonly since: number | undefined;
}

/** Of all tasks, in the order of their ids. @throws GitError */
export async function taskWorktrees(
  project: Project,
  readModelPath: string,
  config: Pick<Config, "worktrees">,
): Promise<readonly TaskWorktree[]> {
  const root = rootOf(readModelPath);
  if (!(await isWorkTree(root))) return [];
  const folders = join(root, ".ralph", "worktrees");
  const named = (existsSync(folders) ? readdirSync(folders) : []).flatMap((name) => {
    const [, task] = /^task-(\d+)$/.exec(name) ?? [];
    return task === undefined ? [] : [Number(task)];
  });
  const tasks = [...new Set([...named, ...(await taskTips(root)).keys()])].sort((a, b) => a - b);
  const base = await baseBranch(root, worktreesOf(config)?.base).catch(() => undefined);
  return Promise.all(tasks.map((task) => look(project, root, task, base)));
}

async function look(
  project: Project,
  root: string,
  task: number,
  base: string | undefined,
): Promise<TaskWorktree> {
  const row = await project.queries.taskRow(task);
  const folder = worktreeFolder(root, task);
  return {
    task,
    title: row?.title ?? null,
    status: row?.status ?? null,
    folder: existsSync(folder) ? folder : null,
    branch: branchOf(task),
    left: await whyItStays(project, root, task, base),
    since: row && fromSqlTime(row.updated),
  };
}

async function whyItStays(
  project: Project,
  root: string,
  task: number,
  base: string | undefined,
): Promise<readonly string[]> {
  const row = await project.queries.taskRow(task);
  if (row && row.status !== "done" && row.status !== "skipped") return [`the task is ${row.status}`];
  const merge = (await project.queries.merges()).find(({ task_id }) => task_id === task);
  if (merge && !MERGED.has(merge.state)) return [`its merge is ${merge.state}`];
  if (base === undefined) return ["it is unknown into which branch tasks are merged"];
  const landed = (await project.queries.landings()).filter((landing) => landing.task === task);
  try {
    return await workLeft(root, task, { base, landed });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [`git says: ${error.message}`];
  }
}

const MERGED: ReadonlySet<string> = new Set(["landed", "withdrawn"]);

/**
 * Removes the worktrees and branches of tasks whose work is in the base and in which nothing is left, as `worktrees.keep` says.
 *
 * @param now also those that would be kept for days, or for good
 * @returns what was removed
 * @throws LogError; GitError: there is no repository that can be read
 */
export async function sweepWorktrees(
  project: Project,
  readModelPath: string,
  {
    config,
    now = false,
    tell,
  }: { readonly config: Config; readonly now?: boolean; readonly tell: (step: Step) => void },
): Promise<readonly TaskWorktree[]> {
  const keep = worktreesOf(config)?.keep ?? "merged";
  if (keep === "never" && !now) return [];
  const root = rootOf(readModelPath);
  const oldest = project.store.environment.now() - (typeof keep === "number" && !now ? keep * DAY_US : 0);
  const removed: TaskWorktree[] = [];
  for (const worktree of await taskWorktrees(project, readModelPath, config)) {
    const { task, left, since = 0 } = worktree;
    if (left.length > 0 || since > oldest) continue;
    const isGone = await withoutOthers(worktree, readModelPath, async () => {
      // Someone may have reopened the task while others worked here.
      const base = await baseBranch(root, worktreesOf(config)?.base).catch(() => undefined);
      if ((await whyItStays(project, root, task, base)).length > 0) return false;
      await removeWorktree(root, task);
      return true;
    }).catch((error: unknown) => {
      // Git may find something that we have not seen.
      if (error instanceof GitError) return false;
      throw error;
    });
    if (!isGone) continue;
    removed.push(worktree);
    tell({ step: "worktree_removed", task, folder: worktree.folder, branch: worktree.branch });
  }
  // Refs of removed branches would else be a file each.
  if (removed.length > 0) await tryGit(root, ["pack-refs", "--all"]);
  return removed;
}

const DAY_US = 86_400_000_000;

function withoutOthers<T>(
  { folder, task }: TaskWorktree,
  readModelPath: string,
  work: () => Promise<T>,
): Promise<T> {
  if (folder === null) return work();
  const purpose = `the removal of the worktree of task ${task}`;
  return withWorkspaceLock(folder, work, { runFolder: runFolderBeside(readModelPath), purpose });
}

/** Removes the worktree in which merges are tried, which the next merge makes anew. @returns whether there was one */
export async function removeScratch(readModelPath: string): Promise<boolean> {
  const root = rootOf(readModelPath);
  const folder = join(root, ".ralph", "worktrees", "merge");
  if (!existsSync(folder)) return false;
  await withWorkspaceLock(
    folder,
    () => git(root, ["worktree", "remove", "--force", "--force", "--", folder]),
    {
      runFolder: runFolderBeside(readModelPath),
      purpose: "the removal of the worktree for merges",
    },
  );
  return true;
}
