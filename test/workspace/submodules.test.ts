import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptRef, removeWorktree, workLeft } from "../../src/workspace/removal.ts";
import { keepSubmodules } from "../../src/workspace/submodules.ts";
import { worktreeFolder, worktreeOf } from "../../src/workspace/worktree.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: empty submodules in an agent's worktree, one that is asked of the network, and one whose commits go with the worktree. */

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync(
    "git",
    ["-c", "protocol.file.allow=always", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  ).trim();

function repository(files: Readonly<Record<string, string>>): string {
  const folder = freshFolder();
  git(folder, "init", "--quiet", "-b", "main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "-m", "Begin");
  return folder;
}

/** With a submodule in a submodule, whose origins are gone. */
function withSubmodules(): string {
  const inner = repository({ "inner.txt": "inner\n" });
  const outer = repository({ "outer.txt": "outer\n" });
  git(outer, "submodule", "--quiet", "add", inner, "in");
  git(outer, "commit", "--quiet", "-m", "With an inner one");
  const top = repository({ "top.txt": "top\n" });
  git(top, "submodule", "--quiet", "add", "--name", "li=b", outer, "libs/outer");
  git(top, "commit", "--quiet", "-m", "With an outer one");
  git(top, "submodule", "--quiet", "update", "--init", "--recursive");
  for (const origin of [inner, outer]) rmSync(origin, { recursive: true });
  return top;
}

test("a worktree has its submodules from the checkout's clones, though nothing else can be reached, with their own origins", async () => {
  const top = withSubmodules();
  const { folder } = await worktreeOf(top, 1);
  expect(readFileSync(join(folder, "libs/outer/in/inner.txt"), "utf8")).toBe("inner\n");
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(git(join(folder, "libs/outer"), "remote", "get-url", "origin")).toBe(
    git(join(top, "libs/outer"), "remote", "get-url", "origin"),
  );
  expect(git(top, "status", "--porcelain", "--", ":!.ralph")).toBe("");
});

test("a commit in a submodule keeps the worktree; without one it is removed", async () => {
  const top = withSubmodules();
  const { folder } = await worktreeOf(top, 1);
  const at = { base: "main", landed: [] };
  expect(await workLeft(top, 1, at)).toEqual([]);
  writeFileSync(join(folder, "libs/outer/new.txt"), "new\n");
  git(join(folder, "libs/outer"), "add", "new.txt");
  git(join(folder, "libs/outer"), "commit", "--quiet", "-m", "New");
  git(join(folder, "libs/outer"), "checkout", "--quiet", "HEAD^");
  git(join(folder, "libs/outer"), "branch", "kept", "HEAD@{1}");
  expect(await workLeft(top, 1, at)).toEqual(["the repository libs/outer"]);
  git(join(folder, "libs/outer"), "branch", "-D", "kept");
  expect(await workLeft(top, 1, at)).toEqual([]);
  await removeWorktree(top, 1);
  expect(existsSync(worktreeFolder(top, 1))).toBe(false);
  expect(git(top, "branch", "--list", "signalbox/*")).toBe("");
});

test("what is not committed in a submodule keeps the worktree though it says to ignore that, and no filter of its settings is run", async () => {
  const top = withSubmodules();
  const { folder } = await worktreeOf(top, 1);
  const ran = join(freshFolder(), "ran");
  const sub = join(folder, "libs/outer");
  git(folder, "config", "--file", ".gitmodules", "submodule.li=b.ignore", "all");
  git(folder, "commit", "--quiet", "--all", "-m", "Ignore");
  git(top, "merge", "--quiet", "--ff-only", "signalbox/task-1");
  git(sub, "config", "filter.evil.clean", `touch ${ran}; cat`);
  writeFileSync(join(git(sub, "rev-parse", "--absolute-git-dir"), "info", "attributes"), "* filter=evil\n");
  writeFileSync(join(sub, "outer.txt"), "other\n");
  expect(await workLeft(top, 1, { base: "main", landed: [] })).toEqual(["the repository libs/outer"]);
  expect(existsSync(ran)).toBe(false);
});

test("a submodule's commit that only its worktree had is found by the next worktree once it was kept; before, it is refused each time", async () => {
  const top = withSubmodules();
  const { folder } = await worktreeOf(top, 1);
  const sub = join(folder, "libs/outer");
  git(sub, "commit", "--quiet", "--allow-empty", "-m", "New");
  git(folder, "commit", "--quiet", "--all", "-m", "New in a submodule");
  git(top, "merge", "--quiet", "--ff-only", "signalbox/task-1");
  for (let tries = 0; tries < 2; tries++)
    await expect(worktreeOf(top, 2)).rejects.toThrow("The submodule libs/outer could not be filled");
  await keepSubmodules(top, folder, keptRef(1));
  const next = await worktreeOf(top, 2);
  expect(git(join(next.folder, "libs/outer"), "rev-parse", "HEAD")).toBe(git(sub, "rev-parse", "HEAD"));
  expect(await workLeft(top, 1, { base: "main", landed: [] })).toEqual([]);
});

test("files that git was told to overlook, refs of its own, and a bare repository keep a worktree", async () => {
  const top = repository({ "one.txt": "1\n", ".gitignore": "ignored\n" });
  const { folder } = await worktreeOf(top, 1);
  const left = () => workLeft(top, 1, { base: "main", landed: [] });
  expect(await left()).toEqual([]);
  git(folder, "init", "--quiet", "--bare", "ignored/bare");
  expect(await left()).toEqual(["the repository ignored/bare"]);
  git(folder, "update-ref", "refs/worktree/mine", "HEAD");
  git(folder, "update-index", "--assume-unchanged", "one.txt");
  git(top, "worktree", "lock", folder);
  expect(await left()).toEqual([
    "locked in its git folder",
    "1 file that no commit has, such as one.txt",
    "refs of its own",
  ]);
});

test("a sparse checkout stays sparse in a worktree", async () => {
  const top = repository({ "a/one.txt": "1\n", "b/two.txt": "2\n" });
  git(top, "sparse-checkout", "set", "a");
  const { folder } = await worktreeOf(top, 1);
  expect(existsSync(join(folder, "a/one.txt"))).toBe(true);
  expect(existsSync(join(folder, "b"))).toBe(false);
});
