import type { Project } from "../../api/project.ts";
import { worktreesOf } from "../../config/schema.ts";
import { FILES_LIMIT, isFilePath } from "../../events/types/fields.ts";
import { withWorkspaceLock } from "../../gates/runner/workspace-lock.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import type { TaskView } from "../../queries/tasks.ts";
import { catchUp } from "../../read-model/worker.ts";
import { baseBranch, branchOf } from "../../workspace/branches.ts";
import { isWorkTree } from "../../workspace/git.ts";
import type { StoppedMerge } from "../../workspace/merge-into.ts";
import { refuseBrought } from "../../workspace/own-files.ts";
import { type NeededBranch, type Worktree, worktreeOf } from "../../workspace/worktree.ts";
import { rootOf } from "./commit-work.ts";
import { type Preparing, prepareWorktree } from "./setup.ts";

/**
 * The folder in which an agent works on a task: the project's folder, or a worktree made from the
 * base, with the branches of the task's dependencies merged in; if the task was reopened for its
 * merge, also with the current base.
 *
 * @throws SetupError; GitError, LogError `disk`: it cannot be prepared, or a branch that it would have brings files into `.ralph/`
 */
export async function workplaceOf(
  project: Project,
  task: Pick<TaskView, "id" | "depends_on">,
  {
    readModelPath,
    ...preparing
  }: Pick<Preparing, "config" | "signal" | "tell"> & { readonly readModelPath: string },
): Promise<Worktree> {
  const root = rootOf(readModelPath);
  const worktrees = worktreesOf(preparing.config);
  if (!worktrees) return { folder: root, stopped: undefined };
  const landings = await project.queries.landings();
  const needs = task.depends_on.map((id): NeededBranch => {
    return { branch: branchOf(id), landed: landings.find((landing) => landing.task === id) };
  });
  const merge = (await project.queries.merges()).find(({ task_id }) => task_id === task.id);
  if (merge?.reopened) needs.push({ branch: merge.base });
  for (const branch of [branchOf(task.id), ...needs.map((need) => need.branch)])
    await refuseBrought(root, `refs/heads/${branch}`);
  const base = await baseFor(root, worktrees.base);
  const runFolder = runFolderBeside(readModelPath);
  const prepare = (folder: string) => {
    const work = () => prepareWorktree(folder, { project, root, task: task.id, ...preparing });
    const purpose = `the setup of the worktree of task ${task.id}`;
    return withWorkspaceLock(folder, work, { runFolder, purpose, signal: preparing.signal });
  };
  return worktreeOf(root, task.id, { base, needs, prepare });
}

/**
 * Without a configured base, a worktree begins at the commit of the project's folder, even on no
 * branch. @throws GitError
 */
async function baseFor(root: string, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  return (await isWorkTree(root)) ? baseBranch(root, named) : named;
}

/**
 * Records that a session starts with an unfinished merge in its worktree, for its prompt and for
 * people. @throws LogError
 */
export async function recordConflict(
  project: Project,
  { task, session }: { readonly task: number; readonly session: string },
  { branch, files: all }: StoppedMerge,
): Promise<void> {
  const named = all.filter(isFilePath);
  const files = named.slice(0, FILES_LIMIT);
  await project.log.append([
    {
      type: "workspace.conflicted",
      actor: project.actor,
      correlation: session,
      payload: { task, session, branch, files, more: all.length - files.length },
    },
  ]);
  // Its prompt is built from the read model.
  await catchUp(project.store.readModel, project.log);
}
