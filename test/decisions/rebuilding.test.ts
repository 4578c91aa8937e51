import Database from "better-sqlite3";
import { firstValueFrom } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import { Refusal } from "../../src/decisions/refusal.ts";
import { reportSignal } from "../../src/decisions/rules/signal-report.ts";
import { addComment } from "../../src/operations/comments.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { id } from "../events/given.ts";
import { freshProject } from "../support/project.ts";

/*
 * A new version of the program, while another process reduces the log again. Catches: an agent whose report waits for that, or is
 * checked by rows that nobody may read; a decision on old rows; a second rebuild beside the first; a wait for one that hangs.
 */

const comment = addComment({ task: 1, author: "human", body: "Nice." });
const advice = { unknownTask: "Name another.", otherTask: "Name another." };
const reporter = { task: 1, session: "s-1", actor: "agent" };

/** The process that started this one: it lives, and rebuilds nothing. */
const ANOTHER_PID = process.ppid;

async function givenRebuildElsewhere() {
  const { project, db } = await freshProject();
  for (const task of [1, 2]) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await project.decide(startSession({ task, session: `s-${task}` }));
  }
  const elsewhere = new Database(db);
  onTestFinished(() => void elsewhere.close());
  elsewhere.exec(`UPDATE projections SET version = version - 1 WHERE name = 'board';
    INSERT INTO rebuilds (run, pid, position, head) VALUES (900, ${ANOTHER_PID}, 3, 6)`);
  let sign = 0;
  const beating = setInterval(
    () => elsewhere.exec(`UPDATE rebuilds SET signs = ${++sign} WHERE run = 900`),
    20,
  );
  onTestFinished(() => clearInterval(beating));
  return {
    project,
    hang: () => clearInterval(beating),
    finish() {
      clearInterval(beating);
      elsewhere.exec(`UPDATE projections SET version = version + 1 WHERE name = 'board';
        DELETE FROM rebuilds WHERE run = 900`);
    },
    /** How many rebuilds of its own this process has begun. */
    ownRebuilds: () =>
      Number(elsewhere.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'rebuilds'").pluck().get()) -
      900,
  };
}

function flag(number: number) {
  const args = { what: "Slow.", severity: "info", category: "bug" };
  return { verb: "flag" as const, args, id: id(number) };
}

test("a decision waits for another process's rebuild and reports its progress; facts do not wait", async () => {
  const { project, finish, ownRebuilds } = await givenRebuildElsewhere();
  const { store } = project;
  const progress = firstValueFrom(store.readModel.rebuilding);
  let isDecided = false;
  const decision = project.decide(comment).then((events) => {
    isDecided = true;
    return events;
  });
  expect(await progress).toMatchObject({ position: 3, head: 6 });
  const head = await project.log.head();
  const flagged = await reportSignal(store, reporter, flag(1), advice);
  expect(flagged).toMatchObject({ position: head + 1, next: expect.stringContaining("is being rebuilt") });
  const args = { summary: "All of it." };
  const done = await reportSignal(store, reporter, { verb: "done", args, id: id(2) }, advice);
  expect(done).toMatchObject({ position: head + 2, next: expect.stringContaining("End your work here") });
  expect(isDecided).toBe(false);
  finish();
  expect((await decision)[0]?.position).toBe(head + 3);
  expect(ownRebuilds()).toBe(0);
});

test("while the tables are unreadable, a fact is checked against the log: its task and session must exist", async () => {
  const { project, finish } = await givenRebuildElsewhere();
  const head = await project.log.head();
  const report = (task: number, session: string) =>
    reportSignal(project.store, { ...reporter, task, session }, flag(3), advice);
  await expect(report(9, "s-9")).rejects.toThrow("there is no task 9");
  await expect(report(2, "s-1")).rejects.toThrow(Refusal);
  await expect(report(2, "s-1")).rejects.toThrow("session s-1 belongs to task 1, not to task 2");
  const beginning = { session: "s-9", recipe: "braindump", forced: false };
  await project.log.append([{ type: "session.started", actor: "driver", payload: beginning }]);
  await expect(report(2, "s-9")).rejects.toThrow("session s-9 has no task");
  expect(await project.log.head()).toBe(head + 1);
  expect(await report(2, "s-new")).toMatchObject({ position: head + 2 });
  finish();
});

test("who waits for a rebuild that hangs does it himself", async () => {
  const { project, hang, ownRebuilds } = await givenRebuildElsewhere();
  hang();
  await project.decide(comment);
  expect(ownRebuilds()).toBe(1);
});

test("several calls of one process that wait make one rebuild", async () => {
  const { project, finish, ownRebuilds } = await givenRebuildElsewhere();
  finish();
  project.store.readModel.transaction(() =>
    project.store.readModel.database.exec("UPDATE projections SET version = version - 1"),
  );
  await Promise.all([project.queries.tasks(), project.queries.features(), project.decide(comment)]);
  expect(ownRebuilds()).toBe(1);
});
