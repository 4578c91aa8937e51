import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fastForward, whatIsInTheWay } from "../../src/workspace/fast-forward.ts";
import { rebase } from "../../src/workspace/merged-commit.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import { givenRepository } from "./given.ts";

/** A repository with `main` and `work`, both one commit on from the same one, and a scratch work tree. */
function givenTwo(ours: Record<string, string>, theirs: Record<string, string>) {
  const repository = givenRepository();
  const { git, write, commit, folder } = repository;
  git("checkout", "--quiet", "-b", "main");
  write("list.txt", "one\ntwo\nthree\n");
  commit();
  git("checkout", "--quiet", "-b", "work");
  for (const [path, text] of Object.entries(theirs)) write(path, text);
  commit();
  git("checkout", "--quiet", "main");
  for (const [path, text] of Object.entries(ours)) write(path, text);
  commit();
  const scratch = join(folder, "..", "scratch");
  mkdirSync(scratch);
  git("worktree", "add", "--quiet", "--detach", scratch);
  const read = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trimEnd();
  return {
    ...repository,
    read,
    scratch,
    rebaseIt: () =>
      rebase({
        ...{ scratch, onto: read("rev-parse", "main"), commit: read("rev-parse", "work") },
        ...{ landed: [], message: "Task 1: It" },
      }),
  };
}

test("a rebase runs no merge driver, filter, hook or signing program, and ignores merge preferences", async () => {
  const { git, program, rebaseIt, ran, folder } = givenTwo(
    { ".gitattributes": "* merge=mine filter=mine\n", "list.txt": "one\nTWO\nthree\n" },
    { ".gitattributes": "* merge=mine filter=mine\n", "list.txt": "one\ntoo\nthree\n", "b.txt": "b\n" },
  );
  git("config", "merge.mine.driver", program("driver", "exit 0"));
  for (const kind of ["clean", "smudge"]) git("config", `filter.mine.${kind}`, program(kind, "cat"));
  git("config", "commit.gpgsign", "true");
  git("config", "gpg.program", program("sign", "exit 1"));
  for (const hook of ["post-checkout", "pre-rebase", "post-rewrite"])
    copyFileSync(program(hook, "exit 1"), join(folder, ".git", "hooks", hook));
  expect(await rebaseIt()).toEqual({ conflicts: ["list.txt"] });
  expect(existsSync(ran)).toBe(false);
});

test("commits stay separate, with their authors, if rebasing them one by one gives the same result", async () => {
  const { rebaseIt, read, scratch } = givenTwo({ "a.txt": "a\n" }, { "list.txt": "one\ntwo\nthree\nfour\n" });
  const rebased = await rebaseIt();
  if ("conflicts" in rebased) throw new Error("a commit was expected");
  expect(read("log", "--format=%s|%an", `main..${rebased.commit}`)).toBe("All|Ada");
  expect(read("rev-parse", `${rebased.commit}~1`)).toBe(read("rev-parse", "main"));
  expect(readFileSync(join(scratch, "list.txt"), "utf8")).toBe("one\ntwo\nthree\nfour\n");
});

test("work that has resolved a conflict in a merge commit becomes one commit, and need not resolve it again", async () => {
  const { git, write, read, rebaseIt } = givenTwo(
    { "list.txt": "one\nTWO\nthree\n" },
    { "list.txt": "one\ntoo\nthree\n" },
  );
  git("checkout", "--quiet", "work");
  expect(() => git("merge", "main")).toThrow();
  write("list.txt", "one\nTWO too\nthree\n");
  git("commit", "--quiet", "--all", "-m", "Resolved");
  git("checkout", "--quiet", "main");
  write("later.txt", "later\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Later");
  const rebased = await rebaseIt();
  if ("conflicts" in rebased) throw new Error("a commit was expected");
  expect(read("log", "--format=%s", `main..${rebased.commit}`)).toBe("Task 1: It");
  expect(read("show", `${rebased.commit}:list.txt`)).toBe("one\nTWO too\nthree");
});

test("leftovers of a killed rebase in the scratch worktree are ignored", async () => {
  const { write, git, scratch, rebaseIt } = givenTwo({ "a.txt": "a\n" }, { "b.txt": "b\n" });
  write("../scratch/left.txt", "left\n");
  write("../scratch/list.txt", "left\n");
  git("-C", scratch, "add", "list.txt");
  write(".git/worktrees/scratch/index.lock", "");
  const rebased = await rebaseIt();
  if ("conflicts" in rebased) throw new Error("a commit was expected");
  expect(existsSync(join(scratch, "left.txt"))).toBe(false);
  expect(readFileSync(join(scratch, "list.txt"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("a checkout that was killed between its files and its branch is brought to its end, and no file changes", async () => {
  const { git, read, folder, rebaseIt } = givenTwo({ "a.txt": "a\n" }, { "b.txt": "b\n" });
  const rebased = await rebaseIt();
  if ("conflicts" in rebased) throw new Error("a commit was expected");
  const [from, to] = [read("rev-parse", "main"), rebased.commit];
  git("read-tree", "-u", "--reset", to);
  expect(read("status", "--porcelain")).toBe("A  b.txt");
  expect(await fastForward(folder, { branch: "main", from, to })).toBe("done");
  expect([read("rev-parse", "main"), read("status", "--porcelain")]).toEqual([to, ""]);
});

test("an ignored file of the human's that the work has too is not overwritten: the base stays", async () => {
  const { folder, write, git, commit } = givenRepository();
  git("checkout", "--quiet", "-b", "main");
  write(".gitignore", "local.json\n");
  commit();
  const from = git("rev-parse", "HEAD").trim();
  git("checkout", "--quiet", "-b", "work");
  write("local.json", "the agent's\n");
  git("add", "--force", "local.json");
  commit();
  const to = git("rev-parse", "HEAD").trim();
  git("checkout", "--quiet", "main");
  write("local.json", "mine\n");
  await expect(fastForward(folder, { branch: "main", from, to })).rejects.toThrow("local.json");
  expect(readFileSync(join(folder, "local.json"), "utf8")).toBe("mine\n");
  expect(git("rev-parse", "main").trim()).toBe(from);
});

test("a scratch work tree that has lost its .git is no way into the project's own repository", async () => {
  const { folder, write, git, commit } = givenRepository();
  write("src.txt", "one\n");
  commit();
  const commitId = git("rev-parse", "HEAD").trim();
  write("src.txt", "mine\n");
  write("scratch/file", "left\n");
  const rebasing = {
    scratch: join(folder, "scratch"),
    onto: commitId,
    commit: commitId,
    landed: [],
    message: "It",
  };
  await expect(rebase(rebasing)).rejects.toThrow("not a git repository");
  expect(readFileSync(join(folder, "src.txt"), "utf8")).toBe("mine\n");
});

test("a base that the human is rebasing just now is not moved", async () => {
  const { git, read, folder } = givenTwo({ "list.txt": "ours\n" }, { "list.txt": "theirs\n" });
  const from = read("rev-parse", "main");
  expect(() => git("rebase", "work")).toThrow();
  const to = git("commit-tree", "main^{tree}", "-p", "main", "-m", "Next").trim();
  const inTheWay = { folder, reason: "main is being rebased there" };
  expect(await fastForward(folder, { branch: "main", from, to })).toEqual(inTheWay);
  expect(await whatIsInTheWay(folder, "main")).toEqual(inTheWay);
  expect(read("rev-parse", "main")).toBe(from);
  git("rebase", "--abort");
  expect(await fastForward(folder, { branch: "main", from, to })).toBe("done");
});

test("later work of a dependency that has landed before reaches a worktree that has its first work", async () => {
  const { git, read, write, folder } = givenTwo({ "a.txt": "a\n" }, { "first.txt": "first\n" });
  const first = read("rev-parse", "work");
  git("worktree", "add", "--quiet", "-b", "signalbox/task-2", ".ralph/worktrees/task-2", first);
  git("checkout", "--quiet", "-b", "landed", "main");
  git("cherry-pick", "work");
  const landed = { commit: first, to: read("rev-parse", "HEAD") };
  git("branch", "--force", "work", "landed");
  const has = (name: string) => existsSync(join(folder, ".ralph/worktrees/task-2", name));
  const at = () => worktreeOf(folder, 2, { needs: [{ branch: "work", landed }] });
  expect(await at()).toMatchObject({ stopped: undefined });
  expect(has("a.txt")).toBe(false);
  git("checkout", "--quiet", "work");
  write("later.txt", "later\n");
  git("add", "later.txt");
  git("commit", "--quiet", "-m", "Later");
  await at();
  expect(has("later.txt")).toBe(true);
});
