import { existsSync } from "node:fs";
import { join } from "node:path";
import { branchOf, tipOf } from "../../workspace/branches.ts";
import { tryGit } from "../../workspace/git.ts";
import { withoutPrograms } from "../../workspace/no-programs.ts";
import { worktreeFolder } from "../../workspace/worktree.ts";

/**
 * Moves a task's branch and its worktree to the landed commit, so that later work begins there. If
 * something prevents it, the branch stays: the log knows what landed.
 */
export async function moveTaskBranch(
  root: string,
  task: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const branch = branchOf(task);
  const folder = worktreeFolder(root, task);
  if (from === to || (await tipOf(root, branch)) !== from) return;
  const checkedOut = existsSync(join(folder, ".git"))
    ? (await tryGit(folder, ["symbolic-ref", "--quiet", "HEAD"]))?.trim()
    : undefined;
  if (checkedOut !== `refs/heads/${branch}`)
    await tryGit(root, ["update-ref", `refs/heads/${branch}`, to, from]);
  else
    await tryGit(folder, ["reset", "--quiet", "--keep", to], { environment: await withoutPrograms(folder) });
}
