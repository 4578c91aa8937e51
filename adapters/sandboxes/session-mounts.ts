import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { HOME_FOLDER, makePrivateFolder, packagePath, ralphFolderOf } from "./core.ts";
import { gitMounts } from "./git-mounts.ts";
import type { Mount } from "./mount.ts";

/**
 * What an agent in a sandbox sees besides programs: its worktree or the project's folder, without
 * `.ralph/`; the repository; what the configuration names; and the session's own folder.
 *
 * @param top the worktree's top, or the project's folder
 * @param workplace the agent's folder: the top, or one in it
 * @param folder the session's own
 */
export async function sessionMounts(
  top: string,
  {
    hasWorktree,
    workplace,
    folder,
    readModelPath,
    named,
  }: {
    readonly hasWorktree: boolean;
    readonly workplace: string;
    readonly folder: string;
    readonly readModelPath: string;
    readonly named: readonly string[];
  },
): Promise<Mount[]> {
  return [
    ...named.map(mountOf),
    { path: top, how: "write" },
    { path: ralphFolderOf(readModelPath), how: "hide" },
    ...withoutOtherGit(top, workplace),
    ...(await gitMounts(top, hasWorktree)),
    { path: folder, how: "read" },
    { path: join(folder, HOME_FOLDER), how: "write" },
  ];
}

/**
 * Git outside takes the first `.git` on the way from the agent's folder for the repository. So each is
 * read-only, an empty folder where there is none, and no folder on the way can be replaced by another.
 */
function withoutOtherGit(top: string, workplace: string): Mount[] {
  const mounts: Mount[] = [];
  for (let at = resolve(workplace); existsSync(at); at = dirname(at)) {
    const git = join(at, ".git");
    if (!existsSync(git)) makePrivateFolder(git);
    mounts.push({ path: at, how: "write" }, { path: git, how: "read" });
    if (at === resolve(top) || !at.startsWith(resolve(top))) break;
  }
  return mounts;
}

/** What a word of `sandbox.mounts` means. */
export function mountOf(text: string): Mount {
  const [, path = text, rw] = /^(.*?)(:rw)?$/.exec(text) ?? [];
  return { path: path.replace(/^~/, homedir()), how: rw === undefined ? "read" : "write" };
}

/** What our own program needs, for a command that starts it, as that of the agent `pretend` does. */
export function ownProgramFor(command: readonly string[]): Mount[] {
  if (!command.includes(packagePath("bin/signalbox.js"))) return [];
  const database = createRequire(packagePath("package.json")).resolve("better-sqlite3/package.json");
  const paths = [...["bin", "dist", "package.json"].map(packagePath), dirname(database)];
  return paths.map((path) => ({ path, how: "read" }));
}
