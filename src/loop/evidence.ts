import type { Project } from "../api/project.ts";
import type { Config } from "../config/config.ts";
import { worktreesOf } from "../config/schema.ts";
import { checksOf } from "../gates/verifying/session-work.ts";
import { type Beginning, beginningOf } from "../workspace/evidence/beginning.ts";
import type { Look, Workspace } from "../workspace/workspace.ts";
import { rootOf } from "./merge/commit-work.ts";

/**
 * A session's workspace before its agent starts. Undefined: without git, where nobody asks for evidence, or in a folder in which
 * other sessions work too: whose work it is cannot be told there.
 */
export async function beginningFor(
  {
    task,
    workspace,
    start,
    shared,
  }: {
    readonly task: { readonly id: number } | null;
    readonly workspace: Workspace;
    readonly start: Look | undefined;
    readonly shared: boolean;
  },
  { project, config, readModelPath }: { project: Project; config: Config; readModelPath: string },
): Promise<Beginning | undefined> {
  if (!start || shared || !config.evidence) return undefined;
  const worktrees = task ? worktreesOf(config) : undefined;
  const fork = task ? await project.queries.taskFork(task.id) : undefined;
  const own = task &&
    worktrees && {
      task: task.id,
      root: rootOf(readModelPath),
      base: worktrees.base,
      fork: undefined,
      ...fork,
    };
  const checks = task ? checksOf(project.store.readModel, config, task.id) : undefined;
  // Whatever is wrong with its repository, the session goes on.
  return await beginningOf(workspace, start, { own: own ?? undefined, checks }).catch(() => undefined);
}
