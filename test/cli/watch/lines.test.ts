import { expect, test } from "vitest";
import { answerQuestion, createTask, deleteTask, endSession, startSession } from "../../../src/index.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { startProcess } from "../../children.ts";
import { signalbox } from "../../support/cli.ts";
import { givenQuestion, givenTask, reports, says } from "./given-project.ts";

/** `signalbox watch` with its output in a pipe, and its lines as they come. */
function givenWatch(db: string, ...args: readonly string[]) {
  const watch = startProcess(process.execPath, [
    packagePath("bin/signalbox.js"),
    "watch",
    "--db",
    db,
    ...args,
  ]);
  const next = async () => String((await watch.lines.next()).value);
  return {
    async next(count = 1) {
      const lines: string[] = [];
      while (lines.length < count) lines.push(await next());
      return lines;
    },
    async end() {
      watch.process.kill("SIGTERM");
      return watch.finish();
    },
  };
}

test("if stdout is not a terminal, each change is printed as a line with its position, without colours", async () => {
  const { project, db } = await givenTask();
  const watch = givenWatch(db);
  expect(await watch.next()).toEqual(["     3  start    0 sessions running · 1 pending · 0 in the inbox"]);
  await project.decide(startSession({ task: 1, session: "s-1" }));
  expect(await watch.next(2)).toEqual([
    "     4  session  s-1 task 1  Session s-1 started.",
    "     4  task     task 1  pending → in_progress  (sessions: start)",
  ]);
  await reports(project, "s-1", "analyzing");
  expect(await watch.next()).toEqual(["     5  session  s-1 task 1  State: analyzing"]);
  await says(project, "s-1", "ask", { question: "Semicolons\u001b[2J or tabs?", blocking: true });
  expect(await watch.next(2)).toEqual([
    "     6  signal   s-1 task 1  ❓ **Ask (blocking):** Semicolons\\u{1b}[2J or tabs?",
    "     6  came     question 6 of task 1  Semicolons\\u{1b}[2J or tabs?  (signalbox inbox answer 6 TEXT)",
  ]);
  await project.decide(answerQuestion({ id: 6, answer: "Tabs." }));
  expect(await watch.next()).toEqual([
    "     7  left     question 6 of task 1  Semicolons\\u{1b}[2J or tabs?",
  ]);
  expect(await watch.end()).toEqual([]);
});

test("--json prints an object a line, each with its position and what changed", async () => {
  const { project, db } = await givenQuestion();
  const watch = givenWatch(db, "--json");
  const next = async (count = 1) => (await watch.next(count)).map((line) => JSON.parse(line));
  const item = { id: 5, kind: "question", task: 1, text: "Semicolons or tabs?" };
  expect(await next()).toMatchObject([
    { position: 7, change: "start", sessions: [], counts: { needs_input: 1 }, ready: 0, inbox: [item] },
  ]);
  await project.decide(answerQuestion({ id: 5, answer: "Tabs." }));
  expect(await next(2)).toMatchObject([
    { position: 8, change: "task", task: 1, from: "needs_input", to: "pending", rule: "settlement 7d" },
    { position: 8, change: "left", item },
  ]);
  await project.decide(startSession({ task: 1, session: "s-2" }));
  expect(await next(2)).toMatchObject([
    { position: 9, change: "session", type: "session.started", session: "s-2", task: 1 },
    { position: 9, change: "task", to: "in_progress" },
  ]);
  await reports(project, "s-2", "testing");
  expect(await next()).toEqual([
    {
      position: 10,
      change: "session",
      type: "session.state_reported",
      session: "s-2",
      task: 1,
      text: "State: testing",
      payload: { session: "s-2", state: "testing" },
    },
  ]);
  expect(await watch.end()).toEqual([]);
});

test("a deleted task is reported, with the items that leave the inbox", async () => {
  const { project, db } = await givenQuestion();
  const [lines, objects] = [givenWatch(db), givenWatch(db, "--json")];
  await lines.next();
  await objects.next();
  await project.decide(deleteTask({ task: 1 }));
  expect(await lines.next(2)).toEqual([
    "     8  deleted  task 1",
    "     8  left     question 5 of task 1  Semicolons or tabs?",
  ]);
  expect((await objects.next(2)).map((line) => JSON.parse(line))).toMatchObject([
    { position: 8, change: "deleted", task: 1 },
    { position: 8, change: "left", item: { id: 5 } },
  ]);
  expect(await lines.end()).toEqual([]);
  expect(await objects.end()).toEqual([]);
});

test("no change is left out, however fast they come, and positions never go back", async () => {
  const { project, db } = await givenTask();
  const watch = givenWatch(db, "--json");
  await watch.next();
  for (let task = 2; task <= 6; task++) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await project.decide(startSession({ task, session: `s-${task}` }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        says(project, `s-${task}`, "learned", { text: `Fact ${n}.`, kind: "discovery" }, task),
      ),
    );
    await says(project, `s-${task}`, "done", { summary: "All of it." }, task);
    await project.decide(endSession({ session: `s-${task}`, exit: "exited" }));
  }
  // Of each task: created, started, in progress, 21 signals, ended, done.
  const changes = (await watch.next(5 * 26)).map((line) => JSON.parse(line));
  expect(await watch.end()).toEqual([]);
  const positions = changes.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  const signals = changes.filter(({ change }) => change === "signal").map(({ position }) => position);
  expect(new Set(signals).size).toBe(5 * 21);
  expect(changes.filter(({ change, to }) => change === "task" && to === "done")).toHaveLength(5);
});

test("without a project it says so, with the exit code for an unusable project", async () => {
  const { db } = await givenTask();
  expect(await signalbox(["watch", "--db", `${db}-elsewhere/none`])).toMatchObject({
    exitCode: 3,
    stdout: "",
  });
});
