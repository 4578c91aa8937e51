// @module-tag linux
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { beat } from "../../src/loop/drivers/registry.ts";
import { answerQuestion, resolveBlocker } from "../../src/operations/inbox.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { useBundle } from "../children.ts";
import { type GivenLoop, givenLoop, statuses, stepsOf } from "./given-loop.ts";
import { type Act, works } from "./script.ts";

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const REACHES: Act = { init: "connected" };
const DONE: Act = { call: "done", with: { summary: "Done as asked." } };

test("ten tasks with dependencies are done in order, and the loop says that none is left", async () => {
  const tasks = Array.from({ length: 10 }, (_, index) => ({
    title: `Task ${index + 1}`,
    // A diamond, a chain, and two that stand alone.
    depends_on: [[], [1], [1], [2, 3], [4], [5], [], [6, 7], [8], []][index] ?? [],
    ...(index === 9 && { priority: "critical" as const }),
  }));
  const loop = await givenLoop(agent, { tasks, others: [works()] });
  const { steps, exitCode, stderr } = await loop.run();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stepsOf(steps, "session_started").map(({ task }) => task)).toEqual([10, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(Object.values(await statuses(loop.project))).toEqual(Array(10).fill("done"));
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([
    { ending: "nothing_ready", sessions: 10, reason: "nothing is ready: every task is done or skipped" },
  ]);
  const loops = await loop.project.queries.sql("SELECT ending, sessions FROM loops");
  expect(loops).toEqual([{ ending: "nothing_ready", sessions: 10 }]);
});

test("a loop in a project without tasks says how to add one", async () => {
  const loop = await givenLoop(agent, { tasks: [] });
  const { steps, exitCode } = await loop.run();
  expect(exitCode).toBe(0);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([
    {
      ending: "nothing_ready",
      reason: "nothing is ready: there are no tasks yet; add one with `signalbox task add`",
    },
  ]);
});

test("questions and blockers stop the loop, which names them; once answered and resolved, the work goes on", async () => {
  const asks: Act[] = [
    REACHES,
    { call: "ask", with: { question: "Which date format?", blocking: true } },
    { call: "partial", with: { summary: "The writer.", remaining: "The dates." } },
    { result: {} },
  ];
  const isBlocked: Act[] = [
    REACHES,
    { call: "blocked", with: { on: "Redis credentials", kind: "external" } },
    { call: "stuck", with: { reason: "No credentials." } },
    { result: {} },
  ];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }, { title: "Cache" }, { title: "Mail it", depends_on: [1] }],
    acts: { 1: [asks, works()], 2: [isBlocked, works()] },
    others: [works()],
  });
  const first = await loop.run();
  const [stopped] = stepsOf(first.steps, "loop_stopped");
  const items = await loop.project.queries.inbox();
  const [question, blocker] = ["question", "blocker"].map(
    (kind) => items.find((item) => item.kind === kind)?.id ?? 0,
  );
  expect(stopped?.reason).toBe(
    `nothing is ready: #1 is waiting for you: question ${question}; #2 is waiting for you: blocker ${blocker}; #3 is waiting for #1`,
  );
  await loop.project.decide(answerQuestion({ id: question ?? 0, answer: "ISO 8601" }));
  await loop.project.decide(resolveBlocker({ id: blocker ?? 0 }));
  const second = await loop.run();
  expect(second.exitCode).toBe(0);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done", 3: "done" });
  const session = stepsOf(second.steps, "session_started").find(({ task }) => task === 1)?.session;
  expect(readFileSync(loop.path(`.ralph/run/${session}/prompt.md`), "utf8")).toMatch(
    /^> Which date format\?\n(?:Its options:\n(?:> .*\n)+)?\| ANSWER to your question \d+: ISO 8601$/m,
  );
});

test("a task whose agents never signal fails at the third session, and the loop says so", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "Export" }], others: [[REACHES, { result: {} }]] });
  const { steps, exitCode } = await loop.run();
  expect(stepsOf(steps, "session_ended").map(({ status }) => status)).toEqual([
    "pending",
    "pending",
    "failed",
  ]);
  expect(stepsOf(steps, "loop_stopped")[0]?.reason).toBe("nothing is ready: #1 failed, stuck 3 times");
  expect(exitCode).toBe(0);
});

test("a task that was stuck gets a hint for another approach, and then the model of the escalation", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    others: [[REACHES, { call: "stuck", with: { reason: "The API is gone." } }, { result: {} }]],
    config: { escalation: { after_stuck: 2, model: "larger" } },
  });
  const { steps } = await loop.run();
  const started = stepsOf(steps, "session_started");
  expect(started.map(({ model }) => model)).toEqual([null, null, "larger"]);
  const prompts = started.map(({ session }) =>
    readFileSync(loop.path(`.ralph/run/${session}/prompt.md`), "utf8"),
  );
  expect(prompts.map((prompt) => prompt.includes("The API is gone."))).toEqual([false, true, true]);
});

test("--once, --max-sessions and the budgets stop the loop", async () => {
  const given = async () =>
    givenLoop(agent, {
      tasks: Array.from({ length: 4 }, (_, index) => ({ title: `${index}` })),
      others: [works()],
    });
  const endingOf = async (...args: string[]) =>
    stepsOf((await (await given()).run(...args)).steps, "loop_stopped")[0];
  expect(await endingOf("--once")).toMatchObject({ ending: "once", sessions: 1 });
  expect(await endingOf("--max-sessions", "3")).toMatchObject({ ending: "max_sessions", sessions: 3 });
  // A session costs a quarter of a dollar, and 360 tokens.
  expect(await endingOf("--budget-usd", "0.40")).toMatchObject({ ending: "budget", sessions: 2 });
  expect(await endingOf("--budget-tokens", "400")).toMatchObject({ ending: "budget", sessions: 2 });
});

test("jobs run side by side, each task once, also with two drivers on one project", async () => {
  const tasks = Array.from({ length: 8 }, (_, index) => ({ title: `Task ${index + 1}` }));
  const loop = await givenLoop(agent, {
    tasks,
    others: [[REACHES, { wait_ms: 200 }, DONE, { result: {} }]],
  });
  const both = await Promise.all([loop.run("--jobs", "2"), loop.run("--jobs", "2")]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(Object.values(await statuses(loop.project))).toEqual(Array(8).fill("done"));
  expect(
    loop
      .started()
      .map(({ task }) => task)
      .sort(),
  ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(loop.twice()).toEqual([]);
});

test("the first SIGINT ends the loop after the running session, the second cancels the session", async () => {
  const go = (loop: GivenLoop) => loop.path("go");
  const given = async () => {
    const loop: GivenLoop = await givenLoop(agent, {
      tasks: [{ title: "One" }, { title: "Two" }],
      others: [],
      config: { limits: { grace_s: 1 } },
    });
    rewriteScript(loop, [[REACHES, { until: go(loop) }, DONE, { result: {} }]]);
    return loop;
  };

  const patient = await given();
  const gentle = patient.start();
  await untilStep(gentle.lines, "agent_started");
  gentle.process.kill("SIGINT");
  await untilStep(gentle.lines, "stopping");
  appendFileSync(go(patient), "");
  await gentle.finish();
  expect(await statuses(patient.project)).toEqual({ 1: "done", 2: "pending" });
  expect(await patient.project.queries.sql("SELECT ending FROM loops")).toEqual([{ ending: "signal" }]);

  const other = await given();
  const hasty = other.start();
  await untilStep(hasty.lines, "agent_started");
  hasty.process.kill("SIGINT");
  await untilStep(hasty.lines, "stopping");
  hasty.process.kill("SIGINT");
  await hasty.finish();
  const [session] = await other.project.queries.sessions();
  expect(session).toMatchObject({ exit: "cancelled", outcome: "cancelled", inferred: 0 });
  expect(await statuses(other.project)).toEqual({ 1: "pending", 2: "pending" });
  expect(other.started()).toHaveLength(1);
});

test("a session ended by someone else is released: its agent is stopped, its later signals are late", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    others: [[REACHES, { wait_ms: 60_000 }, DONE]],
    config: { limits: { grace_s: 1 } },
  });
  const driver = loop.start("--once");
  await untilStep(driver.lines, "agent_started");
  const [session] = await loop.project.queries.sessions({ open: true });
  const { endSession } = await import("../../src/operations/sessions.ts");
  await loop.project.decide(endSession({ session: session?.id ?? "", exit: "cancelled" }));
  const steps = (await driver.finish()).map((line) => JSON.parse(line));
  expect(stepsOf(steps, "session_taken")).toHaveLength(1);
  expect((await loop.project.queries.sessions())[0]).toMatchObject({ exit: "cancelled", closing: null });
});

test("the workspace's files and fingerprint are recorded: a session without changes is counted", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    others: [],
    git: true,
  });
  const partial: Act = { call: "partial", with: { summary: "Half.", remaining: "The rest." } };
  rewriteScript(loop, [
    [REACHES, { write: loop.path("src.txt"), text: "1" }, partial, { result: {} }],
    [REACHES, partial, { result: {} }],
    [REACHES, partial, { result: {} }],
  ]);
  await loop.run("--max-sessions", "3");
  const task = await loop.project.queries.taskRow(1);
  expect(task).toMatchObject({ partials_in_a_row: 3, unchanged_in_a_row: 2 });
  const [first] = await loop.project.queries.sessions();
  expect(await loop.project.queries.sql("SELECT session_id, path FROM session_files")).toEqual([
    { session_id: first?.id, path: "src.txt" },
  ]);
  expect(await loop.project.queries.sql("SELECT task_id, kind, times FROM repetitions")).toEqual([
    { task_id: 1, kind: "remaining", times: 2 },
    { task_id: 1, kind: "remaining", times: 3 },
  ]);
});

test("files that two running sessions both change are shown while they run, and not afterwards", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "One" }, { title: "Two" }],
    git: true,
    config: { limits: { workspace_s: 1 } },
  });
  rewriteScript(loop, [
    [REACHES, { write: loop.path("both.txt"), text: "1" }, { until: loop.path("go") }, DONE, { result: {} }],
  ]);
  const driver = loop.start("--jobs", "2");
  const overlaps = () => loop.project.queries.sql("SELECT path, task_id, other_task_id FROM file_overlaps");
  while ((await overlaps()).length === 0) await delay(100);
  expect(await overlaps()).toMatchObject([{ path: "both.txt" }]);
  writeFileSync(loop.path("go"), "");
  await driver.finish();
  expect(await overlaps()).toEqual([]);
});

test("with worktrees each task has its own folder and branch, which stay", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "One" }, { title: "Two" }], git: true });
  rewriteScript(loop, [[REACHES, { write: "note.txt", text: "from here" }, DONE, { result: {} }]]);
  const { exitCode, steps, stderr } = await loop.run("--jobs", "2", "--worktrees");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(new Set(stepsOf(steps, "session_started").map(({ folder }) => folder))).toEqual(
    new Set([1, 2].map((task) => loop.path(`.ralph/worktrees/task-${task}`))),
  );
  for (const task of [1, 2])
    expect(existsSync(loop.path(`.ralph/worktrees/task-${task}/note.txt`))).toBe(true);
  expect(existsSync(loop.path("note.txt"))).toBe(false);
});

test("a driver that fails itself says why, and its session is cancelled: no word about the task", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "Export" }], others: [works()] });
  writeFileSync(loop.path(".ralph/run"), "in the way of the folder");
  const { exitCode, stderr, steps } = await loop.run();
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/\.ralph\/run.*\[disk\]/);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "error" }]);
  expect(await loop.project.queries.sessions()).toMatchObject([
    { exit: "cancelled", closing: null, end_reason: expect.stringMatching(/its driver failed/) },
  ]);
  expect(await loop.project.queries.taskRow(1)).toMatchObject({ status: "pending", stuck_count: 0 });
});

test("an agent that stashes everything takes no log along", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "Export" }], git: true });
  rewriteScript(loop, [
    [REACHES, { shell: "rm .gitignore; git add -A; git stash -u -q; true" }, DONE, { result: {} }],
  ]);
  expect((await loop.run("--once")).exitCode).toBe(0);
  // Its work is in the stash: the done did not count.
  expect(await statuses(loop.project)).toEqual({ 1: "pending" });
});

test("if the log is removed, the loop stops with the reason and records into no deleted file", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "One" }, { title: "Two" }] });
  rewriteScript(loop, [[REACHES, { shell: "mv .ralph/db/events.db taken" }, { result: {} }]]);
  const { exitCode, stderr, steps } = await loop.run();
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/was moved away, removed or replaced/);
  expect(stepsOf(steps, "session_started")).toHaveLength(1);
});

test("a workspace that git cannot read stops nothing", async () => {
  const loop = await givenLoop(agent, { tasks: [{ title: "One" }, { title: "Two" }], git: true });
  rewriteScript(loop, [
    [REACHES, { shell: "echo x >> x.txt; mkdir -p sub && cd sub && git init -q" }, DONE, { result: {} }],
  ]);
  expect((await loop.run()).exitCode).toBe(0);
  expect(await statuses(loop.project)).toEqual({ 1: "done", 2: "done" });
});

test("a task whose worktree cannot be created is left out, and the others go on", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "One" }, { title: "Two" }],
    others: [[REACHES, { shell: "echo x > x.txt" }, DONE, { result: {} }]],
    git: true,
  });
  execFileSync("git", ["checkout", "-q", "-b", "signalbox/task-1"], { cwd: loop.folder });
  const { exitCode, steps } = await loop.run("--worktrees");
  expect(await statuses(loop.project)).toEqual({ 1: "pending", 2: "done" });
  expect(stepsOf(steps, "skipped")).toMatchObject([
    { task: 1, reason: expect.stringMatching(/signalbox\/task-1/) },
  ]);
  expect(stepsOf(steps, "loop_stopped")).toMatchObject([{ ending: "error", sessions: 1 }]);
  expect(exitCode).toBe(1);
});

test("a waiting loop continues when a task is ready, and ends the sessions of a driver that died", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "One", status: "draft" }],
    acts: { 2: [[REACHES, { wait_ms: 60_000 }], works()] },
    others: [works()],
  });
  const waiting = loop.start("--wait");
  await untilStep(waiting.lines, "waiting");
  await loop.project.decide(createTask({ title: "Two", status: "draft" }));
  await loop.project.decide(setTaskStatus({ task: 1, status: "pending" }));
  await untilStep(waiting.lines, "session_ended");
  await untilStep(waiting.lines, "waiting");
  const driver = spawn("sleep", ["600"], { stdio: "ignore" });
  beat(loop.db, "d-other", driver.pid ?? 0);
  await loop.project.decide(startSession({ task: 2, session: "s-other", driver: "d-other", force: true }));
  driver.kill("SIGKILL");
  await untilStep(waiting.lines, "recovered");
  waiting.process.kill("SIGTERM");
  await waiting.finish();
});

test("a loop whose output pipe closes ends its session and its agent", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    others: [
      [
        REACHES,
        { call: "flag", with: { what: "Odd.", severity: "info", category: "bug" } },
        { wait_ms: 500 },
        { call: "flag", with: { what: "Odd too.", severity: "info", category: "bug" } },
        { wait_ms: 60_000 },
      ],
    ],
    config: { limits: { grace_s: 1 } },
  });
  const driver = loop.start();
  await untilStep(driver.lines, "agent_started");
  driver.process.stdout?.destroy();
  while ((await loop.project.queries.sessions({ open: true })).length > 0) await delay(50);
  const [session] = await loop.project.queries.sessions();
  expect(session).toMatchObject({ exit: "cancelled" });
  const pid = loop.started()[0]?.pid ?? 0;
  while (isRunning(pid)) await delay(20);
});

function rewriteScript(loop: GivenLoop, others: readonly (readonly Act[])[]): void {
  const script = JSON.parse(readFileSync(loop.path(".ralph/script.json"), "utf8"));
  writeFileSync(loop.path(".ralph/script.json"), JSON.stringify({ ...script, others }));
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function untilStep(lines: AsyncIterableIterator<string>, step: string): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The loop ended before ${step}.`);
    if (JSON.parse(value).step === step) return;
  }
}
