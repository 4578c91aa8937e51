import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { worktreesOf } from "../../config/schema.ts";
import { withWorkspaceLock } from "../../gates/runner/workspace-lock.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { DAY_US, fromSqlTime } from "../../lib/time.ts";
import { oneLine } from "../../lib/visible.ts";
import { baseBranch, branchOf, taskTips } from "../../workspace/branches.ts";
import { isOfGit, isWorkTree, placeIn, tryGit } from "../../workspace/git.ts";
import { removeWorktree, workLeft } from "../../workspace/removal.ts";
import {
  COPIES,
  copyFolder,
  mergeFolder,
  removeDetached,
  worktreeFolder,
  worktreesFolder,
} from "../../workspace/worktree.ts";
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
  /** When its task last changed, in microseconds since 1970; undefined for a deleted one. */
  readonly since: number | undefined;
}

/** Of all tasks, in the order of their ids. @throws GitError */
export async function taskWorktrees(
  readModelPath: string,
  project: Project,
): Promise<readonly TaskWorktree[]> {
  const root = rootOf(readModelPath);
  if (!(await isWorkTree(root))) return [];
  const folders = worktreesFolder(root);
  const named = (existsSync(folders) ? readdirSync(folders) : []).flatMap((name) => {
    const [, task] = /^task-(\d+)$/.exec(name) ?? [];
    return task === undefined ? [] : [Number(task)];
  });
  const tasks = [...new Set([...named, ...(await taskTips(root)).keys()])].sort((a, b) => a - b);
  const found: TaskWorktree[] = [];
  for (const task of tasks) {
    const row = await project.queries.taskRow(task);
    const folder = worktreeFolder(root, task);
    found.push({
      task,
      title: row?.title ?? null,
      status: row?.status ?? null,
      folder: existsSync(folder) ? folder : null,
      branch: branchOf(task),
      since: row && fromSqlTime(row.updated),
    });
  }
  return found;
}

/**
 * Why a task's worktree and branch stay, each in a few words; empty: its work is in the base, and nothing is left in them.
 */
export async function whyItStays(
  project: Project,
  readModelPath: string,
  config: Pick<Config, "worktrees">,
  task: number,
): Promise<readonly string[]> {
  const row = await project.queries.taskRow(task);
  if (row && row.status !== "done" && row.status !== "skipped") return [`the task is ${row.status}`];
  const merge = (await project.queries.merges()).find(({ task_id }) => task_id === task);
  if (merge && !MERGED.has(merge.state)) return [`its merge is ${merge.state}`];
  const root = rootOf(readModelPath);
  try {
    const base = await baseBranch(root, worktreesOf(config)?.base);
    const landed = (await project.queries.landings()).filter((landing) => landing.task === task);
    return await workLeft(root, task, { base, landed });
  } catch (error) {
    if (isOfGit(error)) return [oneLine(error.message)];
    throw error;
  }
}

const MERGED: ReadonlySet<string> = new Set(["landed", "withdrawn"]);

/**
 * Removes the worktrees and branches of tasks whose work is in the base and in which nothing is left, as `worktrees.keep` says.
 *
 * @param now also those that would be kept for days, or for good
 * @returns what was removed; and of what could not be, though it looked so, why
 * @throws LogError; GitError: there is no repository that can be read; the abort reason of the signal
 */
export async function sweepWorktrees(
  project: Project,
  readModelPath: string,
  { config, now = false, signal, tell }: Sweeping,
): Promise<{ readonly removed: readonly TaskWorktree[]; readonly refused: ReadonlyMap<number, string> }> {
  const removed: TaskWorktree[] = [];
  const refused = new Map<number, string>();
  const keep = worktreesOf(config)?.keep ?? "merged";
  if (keep === "never" && !now) return { removed, refused };
  const root = rootOf(readModelPath);
  const oldest = project.store.environment.now() - (typeof keep === "number" && !now ? keep * DAY_US : 0);
  for (const worktree of await taskWorktrees(readModelPath, project)) {
    const { task, since = 0 } = worktree;
    const stays = () => whyItStays(project, readModelPath, config, task);
    if (since > oldest || (await stays()).length > 0) continue;
    try {
      await withoutOthers(worktree, readModelPath, signal, async () => {
        // Someone may have reopened the task while others worked here.
        const why = await stays();
        if (why.length > 0) {
          refused.set(task, why.join("; "));
          return;
        }
        await removeWorktree(root, task);
        removed.push(worktree);
        tell({ step: "worktree_removed", task, folder: worktree.folder, branch: worktree.branch });
      });
    } catch (error) {
      // Such as a driver that was faster, or a change that git has seen.
      if (!isOfGit(error)) throw error;
      refused.set(task, oneLine(error.message));
    }
  }
  // Refs of removed branches would else be a file each.
  if (removed.length > 0) await tryGit(root, ["pack-refs", "--all"]);
  return { removed, refused };
}

interface Sweeping {
  readonly config: Config;
  readonly now?: boolean;
  /** Aborts waiting for those who work in a worktree. */
  readonly signal?: AbortSignal;
  readonly tell: (step: Step) => void;
}

/** Gates and setups work in the project's folder in the worktree. */
async function withoutOthers(
  { folder, task }: TaskWorktree,
  readModelPath: string,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (folder === null) return work();
  const { prefix } = await placeIn(rootOf(readModelPath));
  const purpose = `the removal of the worktree of task ${task}`;
  const runFolder = runFolderBeside(readModelPath);
  return withWorkspaceLock(join(folder, prefix), work, { runFolder, purpose, signal });
}

/** Removes the worktrees in which merges are tried and gates run, which are made anew for the next. @returns whether there was one */
export async function removeScratch(readModelPath: string): Promise<boolean> {
  const root = rootOf(readModelPath);
  const folders = [mergeFolder(root), ...COPIES.map((what) => copyFolder(root, what))].filter((folder) =>
    existsSync(folder),
  );
  const [purpose, runFolder] = [
    "the removal of a worktree for merges or gates",
    runFolderBeside(readModelPath),
  ];
  for (const folder of folders)
    await withWorkspaceLock(folder, () => removeDetached(root, folder), { runFolder, purpose });
  return folders.length > 0;
}
