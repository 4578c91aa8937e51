import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { inboxAnswer } from "../../adapters/page/server/answers/inbox.ts";
import { atMoment } from "../../adapters/page/server/moment.ts";
import { openPast } from "../../adapters/page/server/past.ts";
import { openLive } from "../../adapters/page/server/stream.ts";
import { openProject } from "../../src/api/project.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { BATCH_LIMIT } from "../../src/events/log.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { findTask } from "../../src/queries/tasks.ts";
import { ask } from "../../src/read-model/ask.ts";
import { makeAnew } from "../../src/read-model/worker.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/*
 * A new version of the program beside a long log. Catches: a reader that waits while all is reduced again, or is not told that the
 * answer is that of the older version; an answer from a table that is not filled yet; a decision on old rows; old tables for good.
 */

const LONG = 20_500;
const UPGRADED = "UPDATE projections SET version = version - 1";

/** A project whose task 1 the older version has called "Old" by rules of its own. */
async function givenUpgrade(sql = "") {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "New" }));
  const said = {
    type: "comment.added",
    actor: "human",
    payload: { task: 1, author: "human", body: "So." },
  } as const;
  for (let head = await project.log.head(); head < LONG; head += BATCH_LIMIT) {
    await project.log.append(Array.from({ length: BATCH_LIMIT }, () => said));
  }
  await project.queries.tasks();
  const [{ position } = { position: 0 }] = await project.queries.projections();
  await project.close();
  const older = new Database(db);
  older.exec(`${UPGRADED}; UPDATE tasks SET title = 'Old'; ${sql}`);
  older.close();
  const upgraded = await openProject(folder);
  onTestFinished(() => upgraded.close());
  return { project: upgraded, folder, position };
}

test("after an upgrade a question is answered at once from the old tables, with a notice; a decision waits", async () => {
  const { project, position } = await givenUpgrade();
  const told: number[] = [];
  project.store.readModel.outdated.subscribe((at) => told.push(at));
  expect((await project.queries.taskRow(1))?.title).toBe("Old");
  expect(told).toEqual([position]);
  await project.decide(addComment({ task: 1, author: "human", body: "Nice." }));
  expect((await project.queries.taskRow(1))?.title).toBe("New");
  expect(told).toEqual([position]);
});

test("a question that the old tables cannot answer waits for the new ones", async () => {
  const { project } = await givenUpgrade("ALTER TABLE tasks DROP COLUMN title");
  expect((await project.queries.taskRow(1))?.title).toBe("New");
});

test("a question that fails on the old tables is asked again on the new ones", async () => {
  const { project } = await givenUpgrade();
  const titleIsNew = ask(project.store, (readModel) => {
    if (findTask(readModel, 1)?.title !== "New") throw new Refusal("not_found", "No such task.");
    return true;
  });
  expect(await titleIsNew).toBe(true);
});

test("if another process's rebuild hangs, the old tables are not used for ever", async () => {
  // A dead process's number may be that of another one by now.
  const { project } = await givenUpgrade(
    `INSERT INTO rebuilds (run, pid, position, head) VALUES (900, ${process.ppid}, 3, 6)`,
  );
  const { readModel, log } = project.store;
  await makeAnew(readModel, log);
  expect(readModel.stale()).toEqual([]);
});

test("an answer of the panel that the old tables cannot give waits for the new ones, also where it reads the log", async () => {
  const { project } = await givenUpgrade("DROP TABLE inbox_items; DROP TABLE inbox_counts");
  const past = openPast(project);
  onTestFinished(() => past.close());
  const now = { at: undefined, isNearest: false, signal: new AbortController().signal };
  const { answer } = await atMoment(project, past, now, (moment) =>
    inboxAnswer.answer(moment, { row: 0, limit: 10 }),
  );
  expect(answer).toMatchObject({ total: 0, lines: [] });
});

test("a table that the older version did not have is not read before it is filled; all others are", async () => {
  const { project } = await givenUpgrade(
    "DELETE FROM projections WHERE name = 'comments'; DROP TABLE comments",
  );
  expect((await project.queries.taskRow(1))?.title).toBe("Old");
  expect((await project.queries.comments(1)).length).toBeGreaterThan(1_000);
});

test("a panel page is answered at once, and says why it is read-only until the rebuild is done", async () => {
  const { project, position } = await givenUpgrade();
  const live = openLive(project, false);
  onTestFinished(() => live.close());
  const { value } = await (await live.open()).getReader().read();
  const told = new TextDecoder().decode(value);
  expect(told).toContain("event: problem");
  expect(told).toContain(
    `This is the state up to event ${position} of ${position}, built by an older version of signalbox;`,
  );
});

test("a command prints the old tables' answer, then rebuilds", async () => {
  const { folder, position } = await givenUpgrade();
  const first = await signalbox(["next"], { cwd: folder });
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("#1 Old") });
  expect(first.stderr).toContain(`older version of signalbox built this, up to event ${position};`);
  const second = await signalbox(["next"], { cwd: folder });
  expect(second).toMatchObject({ stdout: expect.stringContaining("#1 New"), stderr: "" });
});

test("a command that has answered from the old tables does not fail where the new ones cannot be made", async () => {
  const { folder } = await givenUpgrade(
    "CREATE TRIGGER t BEFORE INSERT ON rebuilds BEGIN SELECT RAISE(FAIL, 'no rebuild here'); END",
  );
  const ran = await signalbox(["next"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("#1 Old") });
  expect(ran.stderr).toContain("no rebuild here");
});
