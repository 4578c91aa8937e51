import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configVariables, GitError, git, tryGit } from "./git.ts";

/**
 * Fills the submodules of a worktree from those that the checkout has cloned, without the network. One that the checkout has
 * not stays empty.
 *
 * @param checkout the top of the repository's checkout, or of a submodule in it
 * @param top the same place in the worktree
 * @param again also those that are filled, which get the commit that the worktree's last one names
 * @throws GitError: the checkout's clone does not have the commit
 */
export async function fillSubmodules(checkout: string, top: string, again = false): Promise<void> {
  if (!existsSync(join(top, ".gitmodules"))) return;
  const asked = ["config", "--null", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
  for (const entry of ((await tryGit(top, asked)) ?? "").split("\0")) {
    const [key = "", path] = entry.split("\n");
    const name = key.slice("submodule.".length, -".path".length);
    if (path === undefined || (!again && !isEmpty(join(top, path)))) continue;
    const args = ["rev-parse", "--path-format=absolute", "--git-path", `modules/${name}`];
    const clone = (await git(checkout, args)).trimEnd();
    if (!existsSync(clone)) continue;
    await fill(top, { name, path, clone, checkout });
    await fillSubmodules(join(checkout, path), join(top, path), again);
  }
}

async function fill(
  top: string,
  { name, path, clone, checkout }: Readonly<Record<"name" | "path" | "clone" | "checkout", string>>,
): Promise<void> {
  const environment = configVariables([
    [`submodule.${name}.url`, clone],
    ["protocol.file.allow", "always"],
  ]);
  try {
    // A command as the way to update, which an agent could have written, is not run.
    await git(top, ["submodule", "--quiet", "update", "--init", "--checkout", "--force", "--", path], {
      environment,
    });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    // The next try finds it empty again, not with another commit.
    await tryGit(top, ["submodule", "--quiet", "deinit", "--force", "--", path]);
    const mend = `Run \`git submodule update --init --recursive\` in ${checkout}.`;
    throw new GitError(`The submodule ${path} could not be filled from ${clone}: ${cause.message}. ${mend}`, {
      cause,
    });
  }
  // Fetches and pushes of an agent go where those of the checkout go.
  await tryGit(top, ["submodule", "--quiet", "sync", "--", path]);
}

function isEmpty(folder: string): boolean {
  return (
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
  );
}
