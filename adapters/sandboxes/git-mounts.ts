import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { branchOf, makePrivateFolder, tryGit } from "./core.ts";
import type { Mount } from "./mount.ts";

/**
 * The parts of a repository that an agent in a sandbox can see: all of it, so that git works. It can
 * write what a commit in its own worktree needs: objects, the branches of tasks, and the worktree's
 * state. It can write nothing by which git, outside, would run a program or take another folder for the
 * repository: no configuration, no hooks, no `.git` file. Without a worktree everything is read-only:
 * what a commit needs lies beside the configuration.
 *
 * @param folder the worktree's top, or the project's folder
 */
export async function gitMounts(folder: string, hasWorktree: boolean): Promise<Mount[]> {
  const told = await tryGit(folder, ["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir"]);
  const [common, own] = told?.trim().split("\n") ?? [];
  if (common === undefined || own === undefined) return [];
  const link = join(folder, ".git");
  const whole: Mount[] = [{ path: realpathSync(common), how: "read" }];
  if (existsSync(link)) whole.push({ path: link, how: "read" });
  if (!hasWorktree || common === own) return whole;
  const branches = dirname(branchOf(0));
  const inCommon = (part: string) => resolve(realpathSync(common), part);
  const written = ["objects", `refs/heads/${branches}`].map(inCommon);
  // The loop's git appends to these logs while other agents run, also through links.
  const logs = inCommon(`logs/refs/heads/${branches}`);
  for (const path of [...written, logs]) if (!existsSync(path)) makePrivateFolder(path);
  const state = realpathSync(own);
  await makeOwnConfig(folder, state);
  return [
    ...whole,
    { path: logs, how: "hide" },
    ...[...written, state].map((path) => ({ path, how: "write" }) as const),
    ...LEADS.map((name) => join(state, name))
      .filter((path) => existsSync(path))
      .map((path) => ({ path, how: "read" }) as const),
  ];
}

/** In a worktree's state: where git looks for the rest, and a configuration. */
const LEADS = ["commondir", "gitdir", "config.worktree"];

/** What is not there cannot be read-only, and git would read one that the agent makes. */
async function makeOwnConfig(folder: string, state: string): Promise<void> {
  const path = join(state, "config.worktree");
  const reads = await tryGit(folder, ["config", "--type=bool", "--get", "extensions.worktreeConfig"]);
  if (reads?.trim() === "true" && !existsSync(path)) writeFileSync(path, "");
}
