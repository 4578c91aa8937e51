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
    readonly task: { readonly id: number };
    readonly workspace: Workspace;
    readonly start: Look | undefined;
    readonly shared: boolean;
  },
  { project, config, readModelPath }: { project: Project; config: Config; readModelPath: string },
): Promise<Beginning | undefined> {
  if (!start || shared || !config.evidence) return undefined;
  const worktrees = worktreesOf(config);
  const fork = await project.queries.taskFork(task.id);
  const own = worktrees && { task: task.id, root: rootOf(readModelPath), base: worktrees.base, fork };
  const checks = checksOf(project.store.readModel, config, task.id);
  // Whatever is wrong with its repository, the session goes on.
  return await beginningOf(workspace, start, { own, checks }).catch(() => undefined);
}
