import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../../children.ts";
import { signalbox } from "../../support/cli.ts";
import { stepsOf } from "../given-loop.ts";
import { type GivenMerges, givenMerges, works } from "./given-merges.ts";

/* Catches: worktrees that stay for ever, and one that is removed with work that is nowhere else. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const command = async (loop: GivenMerges, ...args: readonly string[]) =>
  JSON.parse((await signalbox(["worktree", ...args, "--json"], { cwd: loop.folder })).stdout);

const branches = (loop: GivenMerges) => loop.git("branch", "--format=%(refname:short)").split("\n");

test("what is merged is removed, worktree and branch, and what its session changed is kept from git's garbage", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [{ title: "One" }, { title: "Two" }],
    acts: { 1: [works("echo a > a.txt")], 2: [works("echo b > b.txt")] },
    config: { jobs: 2 },
  });
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  expect(
    stepsOf(steps, "worktree_removed")
      .map(({ task }) => task)
      .sort(),
  ).toEqual([1, 2]);
  expect(branches(loop)).toEqual(["main"]);
  for (const task of [1, 2]) expect(existsSync(loop.path(`.ralph/worktrees/task-${task}`))).toBe(false);
  loop.git("reflog", "expire", "--expire=now", "--all");
  loop.git("gc", "--quiet", "--prune=now");
  for (const { session } of stepsOf(steps, "session_started")) {
    const { start, end } = JSON.parse(readFileSync(loop.path(`.ralph/run/${session}/commits.json`), "utf8"));
    expect(loop.git("diff", "--name-only", start, end)).toMatch(/^[ab]\.txt$/);
  }
});

test("a worktree stays for whatever is nowhere else, `worktree list` says for what, and `worktree clean` removes it once that is gone", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", keep: "never" },
    tasks: [1, 2, 3, 4].map((nth) => ({ title: `Task ${nth}` })),
    acts: {
      1: [works("echo a > a.txt")],
      2: [works("echo b > b.txt; echo KEY=1 > .env")],
      3: [works("mkdir -p ignored; git init --quiet ignored/own; echo c > c.txt")],
      4: [works("echo d > d.txt")],
    },
  });
  writeFileSync(loop.path(".gitignore"), "ignored\nnode_modules\n");
  loop.git("add", ".gitignore");
  loop.git("commit", "--quiet", "-m", "Ignore");
  await loop.run();
  loop.gitIn(4, "checkout", "--quiet", "-b", "elsewhere");
  const list = await command(loop, "list");
  expect(list).toMatchObject([
    { task: 1, title: "Task 1", status: "done", branch: "signalbox/task-1", left: [] },
    { task: 2, left: ["1 file that no commit has, such as .env"] },
    { task: 3, left: ["the repository ignored/own"] },
    { task: 4, left: ["refs/heads/elsewhere checked out"] },
  ]);
  for (const { bytes } of list) expect(bytes).toBeGreaterThan(0);
  const wish = await command(loop, "clean", "--dry-run");
  expect(wish.removed.map(({ task }: { task: number }) => task)).toEqual([1]);
  expect(existsSync(loop.path(".ralph/worktrees/task-1"))).toBe(true);
  // Of a driver that was killed.
  loop.git("worktree", "add", "--quiet", "--detach", ".ralph/worktrees/proof");
  const { removed, kept, scratch } = await command(loop, "clean");
  expect([removed, kept].map((some: { task: number }[]) => some.map(({ task }) => task))).toEqual([
    [1],
    [2, 3, 4],
  ]);
  expect(scratch).toBe(true);
  for (const what of ["merge", "proof"])
    expect(existsSync(loop.path(`.ralph/worktrees/${what}`))).toBe(false);
  expect(loop.git("worktree", "list")).not.toContain("worktrees/proof");
  loop.gitIn(2, "clean", "--quiet", "--force");
  loop.gitIn(4, "checkout", "--quiet", "signalbox/task-4");
  expect((await command(loop, "clean")).kept).toMatchObject([{ task: 3 }]);
  expect(branches(loop)).toEqual(["elsewhere", "main", "signalbox/task-3"]);
});

test("a loop removes what a human merged since, and keeps a task's commits that only its branch has", async () => {
  const loop = await givenMerges(agent, {
    worktrees: true as unknown as object,
    tasks: [{ title: "One" }, { title: "Two" }],
    acts: { 1: [works("echo a > a.txt")], 2: [works("echo b > b.txt")] },
  });
  expect(stepsOf((await loop.run()).steps, "worktree_removed")).toEqual([]);
  loop.git("merge", "--quiet", "signalbox/task-1");
  const { steps } = await loop.run();
  expect(stepsOf(steps, "worktree_removed").map(({ task }) => task)).toEqual([1]);
  expect(await command(loop, "list")).toMatchObject([{ task: 2, left: ["commits that are not in main"] }]);
});
