import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configVariables, GitError, git, gitPath, tryGit } from "./git.ts";

/**
 * Fills the submodules of a worktree from those that the checkout has cloned, without the network. One that the checkout has
 * not stays empty.
 *
 * @param checkout a folder of the repository's checkout
 * @param top the top of the worktree
 * @param again also those that are filled, which get the commit that the worktree's last one names
 * @throws GitError: the checkout's clone does not have the commit
 */
export async function fillSubmodules(checkout: string, top: string, again = false): Promise<void> {
  await visitSubmodules(checkout, top, async (submodule) => {
    if (!again && !isEmpty(submodule.folder)) return false;
    await fill(submodule, checkout);
    return true;
  });
}

/**
 * Gives the commits that were made in a worktree's submodules to the checkout's clones, where other worktrees find them.
 *
 * @param keptAs the name of the ref that keeps each one's last commit there
 * @throws GitError
 */
export async function keepSubmodules(checkout: string, top: string, keptAs: string): Promise<void> {
  await visitSubmodules(checkout, top, async ({ folder, clone }) => {
    if (!existsSync(join(folder, ".git"))) return false;
    const own = (await git(folder, ["rev-parse", "--absolute-git-dir"])).trimEnd();
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", own, `+HEAD:${keptAs}`];
    const environment = configVariables([LOCAL]);
    await git(folder, [`--git-dir=${clone}`, ...fetch], { environment });
    return true;
  });
}

/** A clone of this machine may be read. */
const LOCAL = ["protocol.file.allow", "always"];

interface Submodule {
  /** The top of the worktree, or of the submodule, that has it. */
  readonly within: string;
  readonly name: string;
  /** Relative to `within`. */
  readonly path: string;
  readonly folder: string;
  /** The git folder that the checkout has of it. */
  readonly clone: string;
}

/** Visits the submodules of a worktree that the checkout has cloned. @param visit whether to go on with those in it */
async function visitSubmodules(
  checkout: string,
  top: string,
  visit: (submodule: Submodule) => Promise<boolean>,
): Promise<void> {
  if (!existsSync(join(top, ".gitmodules"))) return;
  await inside(top, await gitPath(checkout, "modules"));

  async function inside(within: string, clones: string): Promise<void> {
    const asked = ["config", "--null", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
    for (const entry of ((await tryGit(within, asked)) ?? "").split("\0")) {
      const [key = "", path] = entry.split("\n");
      const name = key.slice("submodule.".length, -".path".length);
      const clone = join(clones, name);
      if (path === undefined || !existsSync(clone)) continue;
      const folder = join(within, path);
      if (await visit({ within, name, path, folder, clone })) await inside(folder, join(clone, "modules"));
    }
  }
}

async function fill({ within, name, path, clone }: Submodule, checkout: string): Promise<void> {
  const environment = configVariables([[`submodule.${name}.url`, clone], LOCAL]);
  try {
    // A command as the way to update, which an agent could have written, is not run.
    await git(within, ["submodule", "--quiet", "update", "--init", "--checkout", "--force", "--", path], {
      environment,
    });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    // The next try finds it empty again, not with another commit.
    await tryGit(within, ["submodule", "--quiet", "deinit", "--force", "--", path]);
    const mend = `Run \`git submodule update --init --recursive\` in ${checkout}.`;
    throw new GitError(`The submodule ${path} could not be filled from ${clone}: ${cause.message}. ${mend}`, {
      cause,
    });
  }
  // Fetches and pushes of an agent go where those of the checkout go.
  await tryGit(within, ["submodule", "--quiet", "sync", "--", path]);
}

function isEmpty(folder: string): boolean {
  return (
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
  );
}
