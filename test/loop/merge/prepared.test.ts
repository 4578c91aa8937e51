import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf, runs } from "../../../src/lib/processes/identity.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { bring } from "../../../src/workspace/bring.ts";
import { worktreeOf } from "../../../src/workspace/worktree.ts";
import { useBundle } from "../../children.ts";
import { freshFolder, givenConfig } from "../../support/project.ts";
import { statuses, stepsOf } from "../given-loop.ts";
import { eventsOf, type GivenMerges, givenMerges, works } from "./given-merges.ts";

/* Catches: an agent that starts in a worktree without what its project needs, a setup that counts against a task or hides its output, and a copy that leaves the worktree. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const gate = (command: string) => ({ command, max: 3, timeout_s: 60 });

function ignore(loop: GivenMerges, ...lines: readonly string[]): void {
  writeFileSync(loop.path(".gitignore"), `${lines.join("\n")}\n`);
  loop.git("add", ".gitignore");
  loop.git("commit", "--quiet", "-m", "Ignore");
}

test("a new worktree is set up before its first session and before a merge's gates, once, with ignored files copied and folders linked", async () => {
  const loop = await givenMerges(agent, {
    worktrees: {
      integrate: "auto",
      setup: 'echo "$ROOT_WORKTREE_PATH" >> deps/from',
      copy: [".env", "*.local"],
      share: ["cache"],
    },
    tasks: [
      {
        title: "Add four",
        gates: [gate("test -f .env && test -f conf/a.local && test -s deps/from")],
      },
    ],
    acts: {
      1: [works("cat deps/from .env conf/a.local cache/one > seen.txt; mkdir -p deps; echo more >> .env")],
    },
  });
  ignore(loop, "deps/*", "!deps/keep", ".env", "*.local", "cache");
  for (const folder of ["deps", "conf", "cache"]) mkdirSync(loop.path(folder));
  writeFileSync(loop.path("deps/keep"), "");
  loop.git("add", "deps/keep");
  loop.git("commit", "--quiet", "-m", "A folder");
  writeFileSync(loop.path(".env"), "KEY=1\n");
  writeFileSync(loop.path("conf/a.local"), "local\n");
  writeFileSync(loop.path("cache/one"), "shared\n");
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  expect(stepsOf(steps, "merge_ended")).toMatchObject([{ state: "landed" }]);
  expect(loop.fileAt("main", "seen.txt")).toBe(`${loop.folder}\nKEY=1\nlocal\nshared`);
  expect(readFileSync(loop.path(".env"), "utf8")).toBe("KEY=1\n");
  // For the task, and for the worktree of merges.
  const prepared = await eventsOf(loop.project, "workspace.prepared");
  expect(prepared.map(({ task, exit_code }) => [task, exit_code])).toEqual([
    [1, 0],
    [1, 0],
  ]);
  const order = (await loop.project.log.read(0, 1_000)).map(({ type }) => type);
  expect(order.indexOf("workspace.prepared")).toBeLessThan(order.indexOf("session.started"));
});

test("a setup that fails is one item of the inbox with its output, counts for no task, and is tried again until it passes", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { setup: "echo no network; test -f ok" },
    tasks: [{ title: "One" }, { title: "Two" }],
  });
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(1);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "setup_failed" }]);
  expect(stepsOf(steps, "setup_ended").map(({ task, passed }) => [task, passed])).toEqual([
    [1, false],
    [1, false],
    [1, false],
  ]);
  expect(stepsOf(steps, "session_started")).toEqual([]);
  expect(await loop.project.queries.inbox()).toMatchObject([
    {
      kind: "setup",
      task: 1,
      text: "the setup of worktrees fails: echo no network; test -f ok",
      detail: expect.stringContaining("no network"),
      blocks_work: true,
    },
  ]);
  expect(await loop.project.queries.taskRow(1)).toMatchObject({
    status: "pending",
    sessions: 0,
    stuck_count: 0,
  });
  writeFileSync(loop.path("ok"), "");
  loop.git("add", "ok");
  loop.git("commit", "--quiet", "-m", "Mend");
  // The worktree begins where it began: a human brings it forward, or gives another command.
  loop.gitIn(1, "merge", "--quiet", "main");
  expect((await loop.run()).exitCode).toBe(0);
  expect(await loop.project.queries.inbox()).toEqual([]);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
});

test("merges whose setup fails wait, the next loop tries one of them once, and they land when it passes", async () => {
  const loop = await givenMerges(agent, {
    worktrees: {
      integrate: "auto",
      setup: 'case "$PWD" in */merge) test -f "$ROOT_WORKTREE_PATH/ok";; esac',
    },
    tasks: ["One", "Two"].map((title) => ({ title, gates: [gate("true")] })),
    acts: { 1: [works("echo one > a.txt")], 2: [works("echo two > b.txt")] },
  });
  ignore(loop, "ok");
  const waits = { state: "waiting", reason: expect.stringContaining("the setup of worktrees") };
  expect(stepsOf((await loop.run()).steps, "merge_ended")).toMatchObject([waits, waits]);
  expect(stepsOf((await loop.run()).steps, "merge_ended")).toMatchObject([waits]);
  writeFileSync(loop.path("ok"), "");
  const landed = { state: "landed" };
  expect(stepsOf((await loop.run()).steps, "merge_ended")).toMatchObject([landed, landed]);
});

test("a loop killed in a setup leaves a worktree that the next loop sets up again, and nothing of the first runs on", async () => {
  const loop = await givenMerges(agent, {
    worktrees: {
      setup: "if [ -f begun ]; then echo again > done-by; else touch begun; echo $$ > pid; sleep 600; fi",
    },
    tasks: [{ title: "One" }],
    acts: { 1: [works("cat done-by > seen.txt")] },
  });
  ignore(loop, "begun", "pid", "done-by");
  const first = loop.start();
  const pid = loop.path(".ralph/worktrees/task-1/pid");
  await expect
    .poll(() => existsSync(pid) && readFileSync(pid, "utf8").trim() !== "", { timeout: 60_000 })
    .toBe(true);
  const left = Number(readFileSync(pid, "utf8"));
  first.process.kill("SIGKILL");
  expect((await loop.run()).exitCode).toBe(0);
  expect(loop.fileAt("signalbox/task-1", "seen.txt")).toBe("again");
  await expect.poll(() => runs(identityOf(left))).toBe(false);
});

test("a changed lock file is installed again before the gates of a merge", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto", setup: "cat package-lock.json > installed" },
    tasks: [1, 2, 3].map((nth) => ({
      title: `Task ${nth}`,
      gates: [gate('test "$(cat package-lock.json)" = "$(cat installed)"')],
    })),
    acts: {
      1: [works("echo one > a.txt")],
      2: [works("echo two > b.txt")],
      3: [works("echo 2 > package-lock.json; cp package-lock.json installed")],
    },
  });
  ignore(loop, "installed");
  writeFileSync(loop.path("package-lock.json"), "1\n");
  loop.git("add", "package-lock.json");
  loop.git("commit", "--quiet", "-m", "Lock");
  const { steps } = await loop.run();
  expect(stepsOf(steps, "merge_ended").map(({ state }) => state)).toEqual(["landed", "landed", "landed"]);
  // Each worktree once; that of merges for the first one and for the changed lock file.
  expect((await eventsOf(loop.project, "workspace.prepared")).map(({ task }) => task)).toEqual([
    1, 1, 2, 3, 3,
  ]);
});

test("what is copied stays in the worktree though its branch has a link in the place of a folder, and a folder that git does not ignore is not linked", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { copy: ["*.local", "new.txt"] },
    tasks: [{ title: "One" }],
    acts: { 1: [works("echo x > x.txt")] },
  });
  ignore(loop, "*.local", "cache/");
  const outside = loop.path(".ralph/outside");
  mkdirSync(outside);
  symlinkSync(outside, loop.path("conf"));
  loop.git("add", "conf");
  loop.git("commit", "--quiet", "-m", "A link");
  loop.git("rm", "--quiet", "--cached", "conf");
  loop.git("branch", "linked", "HEAD");
  rmSync(loop.path("conf"));
  mkdirSync(loop.path("conf"));
  writeFileSync(loop.path("conf/a.local"), "secret\n");
  writeFileSync(loop.path("new.txt"), "neither ignored nor committed\n");
  await loop.run();
  expect(lstatSync(loop.path(".ralph/worktrees/task-1/conf")).isSymbolicLink()).toBe(true);
  expect(existsSync(`${outside}/a.local`)).toBe(false);
  expect(existsSync(loop.path(".ralph/worktrees/task-1/new.txt"))).toBe(false);

  mkdirSync(loop.path("cache"));
  givenConfig(loop.folder, {
    ...JSON.parse(readFileSync(loop.path(".ralph/config.json"), "utf8")),
    worktrees: { share: ["cache"] },
  });
  await loop.project.decide(createTask({ title: "Two" }));
  const { steps } = await loop.run();
  expect(stepsOf(steps, "skipped")[0]?.reason).toContain('Add cache to .gitignore, without "/" at its end');
  expect(existsSync(loop.path(".ralph/worktrees/task-2/cache"))).toBe(false);
});

test("ignored files of a project in a subfolder of its repository are copied there", async () => {
  const top = freshFolder();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: top });
  git("init", "--quiet");
  const root = join(top, "shop");
  mkdirSync(join(root, "conf"), { recursive: true });
  writeFileSync(join(top, ".gitignore"), ".env\n.ralph\n");
  git("add", ".gitignore");
  git("commit", "--quiet", "-m", "Begin");
  writeFileSync(join(root, "conf/.env"), "KEY=1\n");
  const prepare = (folder: string) => bring(root, folder, { copy: [".env"], share: [] });
  const { folder } = await worktreeOf(root, 1, { prepare });
  expect(readFileSync(join(folder, "conf/.env"), "utf8")).toBe("KEY=1\n");
});
