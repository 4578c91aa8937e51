import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addDetached, removeDetached } from "../../src/workspace/worktree.ts";
import { makeRepository } from "../loop/given-loop.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a worktree that is thrown away and takes git's entries of others with it, or leaves its own. */
test("a worktree that is thrown away leaves git's entries of others, also where their folder is away", async () => {
  const folder = freshFolder();
  makeRepository(folder);
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
  const [other, own] = [join(freshFolder(), "other"), join(folder, ".ralph/worktrees/base")];
  git("worktree", "add", "--quiet", "--detach", other);
  renameSync(other, `${other}-away`);
  for (let time = 0; time < 2; time++) {
    await addDetached(folder, own);
    expect(git("worktree", "list")).toContain(own);
    await removeDetached(folder, own);
  }
  expect(git("worktree", "list")).not.toContain(own);
  expect(git("worktree", "list")).toContain(other);
});
