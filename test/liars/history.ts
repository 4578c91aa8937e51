import { execFileSync } from "node:child_process";
import { changedIn } from "../../src/workspace/diff.ts";
import { checksChanged } from "../../src/workspace/evidence/checks-changed.ts";
import { GitError } from "../../src/workspace/git.ts";

/*
 * history REPOSITORY COMMITS GATE…: about how many of people's own last commits a human would be asked, each taken for the work of a
 * task with these gates (docs/decisions/0076). Run it by `node test/liars/history.ts`.
 */
const [folder = ".", count = "300", ...commands] = process.argv.slice(2);

const git = (args: readonly string[], input?: string): string => {
  try {
    const stdio = ["pipe", "pipe", "ignore"] as const;
    return execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
      input,
      stdio: [...stdio],
    });
  } catch {
    throw new GitError(args.join(" "));
  }
};
const ask = async (args: readonly string[], input?: string) => git(args, input);
const HOW = ["-r", "-z", "-M", "-l500", "--no-ext-diff", "--no-textconv", "--no-color", "--raw", "--numstat"];
const changes = async (from: string, to: string) =>
  changedIn(git(["-c", "core.bigFileThreshold=4m", "diff-tree", ...HOW, from, to]));

const commits = git(["log", "--no-merges", "-n", count, "--format=%H %P"]).trim().split("\n");
let asked = 0;
for (const line of commits) {
  const [commit = "", parent] = line.split(" ");
  if (parent === undefined) continue;
  const checks = { protect: [], makes: [], commands, folder: "." };
  const began = {
    ...{ git_dir: "", prefix: "", head: parent, tree: parent, nested: [], branch: null, base: null },
    ...{ fork: null, stashes: [], moves: 0, unfinished: [], excludes: "", checks },
  };
  const ended = { tree: commit, tip: commit, base: null, nested: [], ask };
  for (const { says } of await checksChanged(began, ended, await changes(parent, commit), changes)) {
    asked += 1;
    console.log(git(["log", "-1", "--format=%h %s", commit]).trim(), "|", says);
  }
}
console.log(`${asked} of ${commits.length}`);
