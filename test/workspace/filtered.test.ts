import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasFiltered } from "../../src/workspace/changes.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a new worktree in which a branch cannot be merged, since git takes files of a filter for changed. */

test("a branch that changes a file of a filter, such as that of LFS, is merged into a new worktree", async () => {
  const root = freshFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch", "main");
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.org"],
    ["filter.lfs.smudge", "sed s/pointer/content/"],
    ["filter.lfs.clean", "sed s/content/pointer/"],
  ] as const)
    git("config", name, value);
  writeFileSync(join(root, ".gitattributes"), "*.bin filter=lfs\n");
  writeFileSync(join(root, "a.bin"), "content 1\n");
  git("add", ".gitattributes");
  // Without such a file nobody waits, whatever the settings name.
  expect(await hasFiltered(root)).toBe(false);
  git("add", ".");
  expect(await hasFiltered(root)).toBe(true);
  git("commit", "--quiet", "--message", "One");
  git("switch", "--quiet", "--create", "signalbox/task-1");
  writeFileSync(join(root, "a.bin"), "content 2\n");
  git("commit", "--quiet", "--all", "--message", "Two");
  git("switch", "--quiet", "main");
  const { folder, stopped } = await worktreeOf(root, 2, { needs: [{ branch: "signalbox/task-1" }] });
  expect(stopped).toBeUndefined();
  // What is merged runs no filter.
  expect(readFileSync(join(folder, "a.bin"), "utf8")).toBe("pointer 2\n");
});
