import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { GitError, git } from "../../src/workspace/git.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import { freshFolder } from "../support/project.ts";
import { givenRepository } from "./given.ts";

/*
 * What an agent can write into a repository's settings, git would run as whoever looks at the workspace. Catches: a program that is
 * run for a look, and a look that never ends.
 */
test.each([
  ["a file system monitor", (path: string) => [["core.fsmonitor", path]]],
  [
    "a clean filter",
    (path: string) => [
      ["filter.a=b.c.clean", path],
      ["filter.a=b.c.required", "true"],
    ],
  ],
  [
    "a filter process",
    (path: string) => [
      ["filter.a=b.c.process", path],
      ["filter.a=b.c.required", "true"],
    ],
  ],
])("%s is not run for a look, however long it would take", async (_what, settings) => {
  const { write, git, program, ran, commit, workspace } = givenRepository();
  write("src.txt", "one");
  commit();
  for (const [name = "", value = ""] of settings(program("program", "sleep 600"))) git("config", name, value);
  write(".gitattributes", "* filter=a=b.c\n");
  write("src.txt", "two");
  const looker = workspace();
  const before = await looker.look();
  write("src.txt", "three");
  const after = await looker.look();
  expect(after?.fingerprint).toMatch(/^[0-9a-f]{40}$/);
  expect(after?.fingerprint).not.toBe(before?.fingerprint);
  expect(existsSync(ran)).toBe(false);
});

test("a clean filter of a repository in it is not run either", async () => {
  const { folder, commit, workspace, ran, write } = givenRepository();
  const nested = givenRepository(join(folder, "part"));
  write("part/a.txt", "one");
  nested.commit();
  commit();
  nested.git("config", "filter.nested.clean", nested.program("clean", "cat"));
  write("part/.gitattributes", "* filter=nested\n");
  write("part/a.txt", "two");
  expect(await workspace().look()).toBeDefined();
  expect(existsSync(ran)).toBe(false);
  expect(existsSync(nested.ran)).toBe(false);
});

test("hooks are not run", async () => {
  const { folder, write, program, ran, workspace } = givenRepository();
  copyFileSync(program("hook"), join(folder, ".git", "hooks", "post-index-change"));
  write("src.txt", "one");
  expect(await workspace().look()).toBeDefined();
  expect(existsSync(ran)).toBe(false);
});

test("environment variables that redirect git are ignored", async () => {
  const { write, workspace } = givenRepository();
  write("src.txt", "one");
  const before = await workspace().look();
  vi.stubEnv("GIT_DIR", join(freshFolder(), "nowhere"));
  vi.stubEnv("GIT_EXTERNAL_DIFF", "false");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await workspace().look()).toEqual(before);
});

test("git is not given credentials", async () => {
  const tools = freshFolder();
  const seen = join(tools, "seen");
  writeFileSync(join(tools, "git"), `#!/bin/sh\nenv > '${seen}'\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${tools}:${process.env.PATH}`);
  vi.stubEnv("API_TOKEN", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  await openWorkspace(freshFolder(), freshFolder(), []).look();
  expect(readFileSync(seen, "utf8")).toContain("PATH=");
  expect(readFileSync(seen, "utf8")).not.toContain("secret");
});

test("a check that hangs is ended by its signal and gives no result, and the next one works", async () => {
  const { folder, write, workspace } = givenRepository();
  write("src.txt", "one");
  const looker = workspace();
  const first = await looker.look();
  execFileSync("mkfifo", [join(folder, ".gitignore")]);
  const stop = new AbortController();
  const hanging = looker.look(stop.signal);
  stop.abort();
  expect(await hanging).toBeUndefined();
  rmSync(join(folder, ".gitignore"));
  expect(await looker.look()).toEqual(first);
});

test("a new worktree has its files as filters give them, and no hook is run", async () => {
  const { folder, write, git, program, commit, ran } = givenRepository();
  write(".gitattributes", "*.big filter=big\n");
  write("a.big", "pointer");
  commit();
  git("config", "filter.big.smudge", "sed s/pointer/content/");
  copyFileSync(program("hook"), join(folder, ".git", "hooks", "post-checkout"));
  const { folder: worktree } = await worktreeOf(folder, 1);
  expect(readFileSync(join(worktree, "a.big"), "utf8")).toBe("content");
  expect(existsSync(ran)).toBe(false);
});

test("a worktree whose creation was killed is recreated, since missing files would be committed as deleted", async () => {
  const { folder, write, git, commit, program } = givenRepository();
  write(".gitattributes", "*.bin filter=slow\n");
  write("a.bin", "a\n");
  write("b.txt", "b\n");
  commit();
  git("config", "filter.slow.smudge", program("slow", "sleep 600"));
  const task = join(folder, ".ralph", "worktrees", "task-1");
  const making = spawn("git", ["worktree", "add", "-b", "signalbox/task-1", task], {
    cwd: folder,
    detached: true,
    stdio: "ignore",
  });
  await vi.waitFor(() => expect(existsSync(join(folder, "..", "ran"))).toBe(true), { timeout: 10_000 });
  process.kill(-(making.pid ?? 0), "SIGKILL");
  git("config", "--unset", "filter.slow.smudge");
  await expect(worktreeOf(folder, 1)).rejects.toThrow("git is still creating");
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, ".git", "worktrees", "task-1", "locked"), longAgo, longAgo);
  expect(await worktreeOf(folder, 1)).toEqual({ folder: task, stopped: undefined });
  expect(git("-C", task, "status", "--porcelain")).toBe("");
  expect(readFileSync(join(task, "a.bin"), "utf8")).toBe("a\n");
});

test("a FIFO in the place of the index is not waited for", async () => {
  const { folder, write, commit, workspace } = givenRepository();
  write("src.txt", "one");
  commit();
  const before = await workspace().look();
  rmSync(join(folder, ".git", "index"));
  execFileSync("mkfifo", [join(folder, ".git", "index")]);
  expect(await workspace().look()).toEqual(before);
});

test("git that waits for ever is ended, with its folder in the error", async () => {
  const { folder, commit } = givenRepository();
  commit();
  rmSync(join(folder, ".git", "index"));
  execFileSync("mkfifo", [join(folder, ".git", "index")]);
  const waits = git(folder, ["ls-files"], { limit_ms: 300 });
  await expect(waits).rejects.toThrow(`git ls-files was ended after 0.005 min in ${folder}. Run it there`);
  await expect(waits).rejects.toThrow(GitError);
});

test("links and FIFOs left in a worktree's git state are removed before the loop's git, but for a HEAD that names a branch", async () => {
  const { folder, commit } = givenRepository();
  commit();
  const { folder: task } = await worktreeOf(folder, 1);
  const state = join(folder, ".git", "worktrees", "task-1");
  const mine = join(freshFolder(), "mine");
  writeFileSync(mine, "mine");
  rmSync(join(state, "HEAD"));
  symlinkSync("refs/heads/signalbox/task-1", join(state, "HEAD"));
  for (const place of ["COMMIT_EDITMSG", "logs/x", "../../refs/heads/signalbox/x"])
    symlinkSync(mine, join(state, place));
  symlinkSync(dirname(mine), join(state, "folder"));
  execFileSync("mkfifo", [join(state, "locked")]);
  expect(await worktreeOf(folder, 1)).toEqual({ folder: task, stopped: undefined });
  const left = [
    "HEAD",
    "COMMIT_EDITMSG",
    "logs/x",
    "../../refs/heads/signalbox/x",
    "folder",
    "locked",
  ].filter((place) => lstatSync(join(state, place), { throwIfNoEntry: false }));
  expect(left).toEqual(["HEAD"]);
  expect(readFileSync(mine, "utf8")).toBe("mine");
});
