import { expect, onTestFinished, test } from "vitest";
import { openProject, type Project } from "../../src/api/project.ts";
import { parseConfig } from "../../src/config/config.ts";
import { claimTask } from "../../src/loop/claim.ts";
import { whyNothingIsReady } from "../../src/loop/waiting.ts";
import {
  endSession,
  startSession,
  startSessionApart,
  startSessionOn,
} from "../../src/operations/sessions.ts";
import { outlookOf } from "../../src/operations/task-outlook.ts";
import { createTask, type NewTask } from "../../src/operations/tasks.ts";
import { startableApart } from "../../src/queries/same-files.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { loopHere } from "./loop-here.ts";

/* Catches: two agents that make the same files at the same time, a driver that looks again and again, a task that waits for no reason. */

async function given(...artifacts: readonly (readonly string[])[]) {
  const { project, folder, db } = await freshProject();
  const tasks = artifacts.map((output_artifacts, index): NewTask => {
    return { title: `Task ${index + 1}`, output_artifacts: [...output_artifacts] };
  });
  for (const task of tasks) await project.decide(createTask(task));
  return { project, folder, db };
}

const begins = (project: Project, task: number) =>
  project.decide(startSessionApart(undefined, { task, session: `s-${task}` }));

test("beside a session whose task makes the same files a driver starts none, and is told which; others are", async () => {
  const { project } = await given(["src"], ["docs", "src/a.ts"], ["docs"], []);
  await begins(project, 1);
  const message =
    "Task 2 makes the same files as task 1 (src), whose session s-1 is open. It can be started when that has ended, or by force.";
  await expect(begins(project, 2)).rejects.toMatchObject({ code: "not_ready", message });
  await begins(project, 3);
  await begins(project, 4);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await expect(begins(project, 2)).rejects.toMatchObject({
    message: expect.stringContaining("task 3 (docs)"),
  });
  await project.decide(endSession({ session: "s-3", exit: "exited" }));
  await begins(project, 2);
});

test("why, status and the answer to a change say beside which task no loop starts it", async () => {
  const { project, folder } = await given(["src"], ["src/a.ts"], ["docs"]);
  await begins(project, 1);
  const run = async (...words: string[]) => (await signalbox(words, { cwd: folder })).stdout;
  const says = "; a loop starts it after task 1, in work, since both make src.";
  expect(await run("why", "2")).toContain(`it is ready, and next in line${says}`);
  expect(outlookOf(project.store.readModel, 2).next).toBe(`It is ready to be started${says}`);
  expect(await run("status")).toMatch(
    /#2 Task 2 .* after #1, which makes the same files\n +#3 Task 3 [^#]*$/m,
  );
  expect(JSON.parse(await run("status", "--json"))).toMatchObject({
    next: [
      { id: 2, same_files_as: 1 },
      { id: 3, same_files_as: null },
    ],
  });
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  expect(await run("why", "2")).not.toContain("both make");
});

test("a human's command and force start it all the same", async () => {
  const { project } = await given(["a.ts"], ["a.ts"], ["a.ts"], ["a.ts"]);
  await begins(project, 1);
  await project.decide(startSession({ task: 2, session: "s-2" }));
  await project.decide(startSessionOn(undefined, { task: 3, session: "s-3", driver: "d-1" }));
  await project.decide(startSessionApart(undefined, { task: 4, session: "s-4", force: true }));
  expect(await project.queries.sessions({ open: true })).toHaveLength(4);
});

test("of two drivers that start such tasks at the same moment one is refused", async () => {
  const { project, folder } = await given(...Array.from({ length: 20 }, () => ["a.ts"]));
  const other = await openProject(folder, { actor: "driver:other" });
  onTestFinished(() => other.close());
  for (let task = 1; task < 20; task += 2) {
    const both = await Promise.allSettled([begins(project, task), begins(other, task + 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [open] = await project.queries.sessions({ open: true });
    await project.decide(endSession({ session: open?.id ?? "", exit: "exited" }));
  }
});

test("the first task that may start comes, however far it is behind those that may not", async () => {
  const { project } = await given(["a"], ...Array.from({ length: 40 }, () => ["a/b"]), ["c"], []);
  const first = async (limit: number, without?: number[]) =>
    (await project.queries.startableApart(limit, without)).map(({ id }) => id);
  expect(await first(2)).toEqual([1, 2]);
  await begins(project, 1);
  expect(await first(1)).toEqual([42]);
  expect(await first(1, [42])).toEqual([43]);
  expect(await first(5)).toEqual([42, 43]);
  expect(await project.queries.startableTasks(1)).toMatchObject([{ id: 2 }]);
});

test("where no task in work says what it makes, only so many ready tasks are read as are asked for", async () => {
  const { project } = await given([], ...Array.from({ length: 40 }, () => ["a/b"]));
  await begins(project, 1);
  const { readModel } = project.store;
  const read: number[] = [];
  const counting = new Proxy(readModel, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "all") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<typeof readModel.all>) => {
        const rows = readModel.all(...args);
        read.push(rows.length);
        return rows;
      };
    },
  });
  expect(startableApart(counting, 2).map(({ id }) => id)).toEqual([2, 3]);
  expect(read.filter((rows) => rows > 0)).toEqual([2]);
});

test("a claim of a task that was free a moment ago is one where another driver was faster", async () => {
  const { project, db } = await given(["a.ts"], ["*.ts"]);
  const task = await project.queries.taskRow(2);
  if (!task) throw new Error("There is no task 2.");
  await begins(project, 1);
  const claimed = await claimTask(project, task, {
    readModelPath: db,
    config: parseConfig({ agent: "sh", agents: { sh: { kind: "command", command: "true" } } }, ""),
    driver: "d-1",
    budgetUsd: undefined,
    signal: new AbortController().signal,
    tell: () => {},
  });
  expect(claimed).toBeUndefined();
  expect(await project.queries.sessions({ task: 2 })).toEqual([]);
});

test("a loop that finds only such a task says which one it waits for, and with which path", async () => {
  const tasks = [
    { title: "One", output_artifacts: ["src/a.ts"] },
    { title: "Two", output_artifacts: ["src/*.ts"] },
    { title: "Three", depends_on: [2], output_artifacts: ["src"] },
  ];
  const { project, run } = await loopHere(tasks);
  await begins(project, 1);
  const reason =
    "nothing is ready: #1 is running in session s-1; #2 is waiting for #1, which makes the same files (src/a.ts); #3 is waiting for #2";
  expect((await whyNothingIsReady(project)).reason).toBe(reason);
  expect(await run()).toMatchObject({ ending: "nothing_ready", sessions: 0, reason });
});
