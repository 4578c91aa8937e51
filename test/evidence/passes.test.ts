import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { useBundle } from "../children.ts";
import { makeRepository, statuses, stepsOf } from "../loop/given-loop.ts";
import { eventsOf, givenMerges } from "../loop/merge/given-merges.ts";
import type { Act } from "../loop/script.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { callTool, connectWith } from "../support/mcp.ts";
import { freshProject, givenConfig } from "../support/project.ts";

/* Catches: a gate's pass that counts for other files than those that it ran on. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");
const DONE: Act = { call: "done", with: { summary: "Did it." } };
const gates = (command: string) => [{ command, max: 2, timeout_s: 60 }];

const oneSession = (before: string, after: string): Act[] => [
  ...[{ init: "connected" } as const, { shell: before }, DONE],
  ...[{ shell: after }, { result: {} }],
];

test("what an agent undoes after its gates passed is found by the loop, which runs them again at the end", async () => {
  const loop = await givenMerges(agent, {
    worktrees: { integrate: "auto" },
    tasks: [
      { title: "Undone", gates: gates("test -f one.txt") },
      { title: "Polished", gates: gates("test -f two.txt") },
      { title: "Left alone", gates: gates("test -f three.txt; echo ran >> runs") },
    ],
    acts: {
      1: [
        oneSession("echo 1 > one.txt", "rm one.txt; echo x > x.txt"),
        oneSession("echo 1 > one.txt", "true"),
      ],
      2: [oneSession("echo 2 > two.txt", "echo more >> two.txt")],
      3: [oneSession("echo 3 > three.txt", "true")],
    },
  });
  const { steps } = await loop.run();
  const ends = stepsOf(steps, "session_ended").map(({ task, unverified }) => [task, unverified]);
  expect(ends).toEqual([
    [1, [expect.stringMatching(/^gate 1 failed: test -f one\.txt failed with exit code 1/)]],
    [2, []],
    [3, []],
    [1, []],
  ]);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done", 3: "done" });
  const runs = await loop.project.queries.sql(
    "SELECT task_id, group_concat(state) AS states FROM gate_runs GROUP BY task_id",
  );
  // What a gate changes itself is no reason to run it again.
  expect(runs).toEqual([
    { task_id: 1, states: "passed,failed,passed" },
    { task_id: 2, states: "passed,passed" },
    { task_id: 3, states: "passed" },
  ]);
  expect(loop.fileAt("main", "two.txt")).toBe("2\nmore");
});

test("a session that is started and ended from a shell is looked at, too, unless another one ran meanwhile", async () => {
  const { folder, project } = await freshProject();
  makeRepository(folder);
  const run = async (...args: string[]) => await signalbox(args, { cwd: folder });
  for (const title of ["One", "Two", "Three", "Four"]) await run("task", "add", title);
  const done = (session: string) => run("signal", "done", "--session", session, "--summary", "Did it.");
  const end = async (...args: string[]) => (await run("session", "end", ...args, "--exit", "exited")).stdout;
  await run("session", "start", "1", "--session", "s-1");
  await done("s-1");
  expect(await end("s-1", "--key", "end-1")).toContain("Task 1 is needs_input.");
  // Sent again under its key it is the same.
  writeFileSync(join(folder, "x.txt"), "x");
  expect(await end("s-1", "--key", "end-1")).toContain("Task 1 is needs_input.");

  const launched = await signalboxJson(["launch", "signals", "--task", "2"], { cwd: folder });
  const { session } = launched as { session: string };
  await done(session);
  expect(await end(session)).toContain("Task 2 is needs_input.");

  for (const task of ["3", "4"]) await run("session", "start", task, "--session", `s-${task}`);
  for (const task of ["3", "4"]) {
    await done(`s-${task}`);
    expect(await end(`s-${task}`)).toContain(`Task ${task} is done.`);
  }
  expect((await eventsOf(project, "session.work")).map(({ task }) => task)).toEqual([1, 2]);
});

test("what a session of a loop did is for the loop to say, also where it is ended from a shell", async () => {
  const loop = await givenMerges(agent, {
    worktrees: {},
    tasks: [{ title: "Ended" }],
    acts: { 1: [[{ init: "connected" }, { shell: "touch begun; until test -e go; do sleep 0.1; done" }]] },
  });
  const running = loop.run("--once");
  await expect.poll(() => existsSync(loop.path(".ralph/worktrees/task-1/begun"))).toBe(true);
  const [begun] = await eventsOf(loop.project, "session.started");
  const ended = await signalbox(["session", "end", String(begun?.session), "--exit", "exited"], {
    cwd: loop.folder,
  });
  expect(ended.stdout).toContain("ended: failure");
  writeFileSync(loop.path(".ralph/worktrees/task-1/go"), "");
  await running;
  expect(await eventsOf(loop.project, "session.work")).toEqual([]);
});

test("a session that is ended from a shell runs them again, too, where its done was verified", async () => {
  const { folder } = await freshProject();
  makeRepository(folder);
  const run = async (...args: string[]) => await signalbox(args, { cwd: folder });
  const session = async (task: number, between: () => void) => {
    await run("task", "add", `Task ${task}`, "--verify", "test -f proof");
    writeFileSync(join(folder, "proof"), "");
    await run("session", "start", String(task), "--session", `s-${task}`);
    await run("signal", "done", "--session", `s-${task}`, "--summary", "Did it.");
    between();
    return await signalboxJson(["session", "end", `s-${task}`, "--exit", "exited"], { cwd: folder });
  };
  expect(await session(1, () => {})).toMatchObject({ status: "done" });
  expect(await session(2, () => writeFileSync(join(folder, "more"), ""))).toMatchObject({ status: "done" });
  expect(await session(3, () => rmSync(join(folder, "proof")))).toMatchObject({ status: "pending" });

  // A gate that may not run leaves a pass that does not count.
  const unconfirmed = () => {
    rmSync(join(folder, "proof"));
    writeFileSync(join(folder, ".ralph/config.json"), JSON.stringify({ gates: { shell: ["bash", "-c"] } }));
  };
  const ended = await session(4, unconfirmed);
  expect(ended).toMatchObject({ status: "pending" });
  expect(await signalboxJson(["task", "show", "4"], { cwd: folder })).toMatchObject({
    remaining: "Gate 1 (test -f proof) passed on other files than those that the session left.",
  });
  givenConfig(folder, {});
  expect(existsSync(join(folder, "proof"))).toBe(false);
});

test("a session that is started and ended by tools is looked at as one from a shell is", async () => {
  const { folder, db, project } = await freshProject();
  makeRepository(folder);
  const verify = { command: "test -f proof", max: 5, timeout_s: 60 };
  await project.decide(createTask({ title: "Nothing" }));
  await project.decide(createTask({ title: "Undone", gates: [verify] }));
  const client = await connectWith(
    project.store,
    { recipe: "all" },
    { readModelPath: db, workspace: folder },
  );
  const session = async (taskId: number, between: () => void) => {
    const { structured } = await callTool(client, "create_ralph_session", { taskId });
    await callTool(client, "done", { summary: "Did it." });
    between();
    const { sessionId } = structured as { sessionId: string };
    return (await callTool(client, "complete_ralph_session", { sessionId, exit: "exited" })).structured;
  };
  expect(await session(1, () => {})).toMatchObject({ taskStatus: "needs_input" });
  writeFileSync(join(folder, "proof"), "");
  expect(await session(2, () => rmSync(join(folder, "proof")))).toMatchObject({ taskStatus: "pending" });
  expect((await eventsOf(project, "session.work")).map(({ task }) => task)).toEqual([1, 2]);
});
