import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { logPathBeside } from "../../src/events/log-location.ts";
import { builtPath } from "../../src/lib/package-root.ts";
import { board } from "../../src/projections/board/index.ts";
import { learnings } from "../../src/projections/learnings.ts";
import { quote } from "../../src/projections/table.ts";
import { RebuildPart } from "../../src/read-model/rebuild-part.ts";
import { makeInThread } from "../../src/read-model/rebuild-thread.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comments } from "../events/given.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { givenFreshReadModel, givenProject, history } from "./given.ts";

/* Catches: a thread that makes other rows than one thread does, goes on when it is to end, or takes what nobody verified. */

const THREAD = builtPath("rebuild-worker.cjs");
const never = new AbortController().signal;

async function givenLog() {
  const project = givenProject();
  const log = project.openLog();
  await log.append([...history(), ...comments(5)]);
  const readModel = project.openReadModel();
  const order = {
    logPath: project.logPath,
    readModelPath: project.readModelPath,
    run: 7,
    projections: ["board"],
    isVerifying: true,
  };
  return { log, order, readModel };
}

test("a thread makes the tables of a projection as they are made without one, with their indexes", async () => {
  const { log, order, readModel } = await givenLog();
  const head = await log.head();
  const told: number[] = [];
  const made = await makeInThread(order, (position) => told.push(position), never, THREAD);
  expect(made).toMatchObject({ position: head, stopped: new Map(), redacted: new Set() });
  expect(told.at(-1)).toBe(head);
  await catchUp(readModel, log);
  const rows = (table: string) => readModel.database.prepare(`SELECT * FROM ${quote(table)}`).all();
  const indexes = readModel.database
    .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?")
    .pluck();
  for (const { name } of Object.values(board.tables)) {
    expect(rows(`${name}__r7`), name).toEqual(rows(name));
    expect(indexes.get(`${name}__r7`), name).toBe(indexes.get(name));
  }
});

test("a thread that fails leaves its part to the caller", async () => {
  const { order } = await givenLog();
  const missing = { ...order, logPath: `${order.logPath}.gone` };
  expect(await makeInThread(missing, () => {}, never, THREAD)).toBeUndefined();
});

test("a part is rebuilt over the leftovers of a thread that failed at its last index", async () => {
  const { log, order, readModel } = await givenLog();
  const { run } = order;
  await makeInThread({ ...order, projections: [learnings.name] }, () => {}, never, THREAD);
  const part = new RebuildPart(readModel, log, run, [learnings], { onProgress() {} });
  await part.make();
  expect(part.state.position).toBe(await log.head());
});

test("a thread that cannot even be started leaves its part to the caller", async () => {
  const { order } = await givenLog();
  expect(await makeInThread(order, () => {}, never, "no-path.cjs")).toBeUndefined();
});

test("an error in the progress callback ends the thread, and is thrown", async () => {
  const { order } = await givenLog();
  const full = new Error("database or disk is full");
  const making = makeInThread(
    order,
    () => {
      throw full;
    },
    never,
    THREAD,
  );
  await expect(making).rejects.toThrow(full);
});

test("a thread ends when it is aborted", async () => {
  const { order } = await givenLog();
  const ending = new AbortController();
  const making = makeInThread(order, () => ending.abort(new Error("enough")), ending.signal, THREAD);
  await expect(making).rejects.toThrow("enough");
  await expect(makeInThread(order, () => {}, ending.signal, THREAD)).rejects.toThrow("enough");
});

/** Long enough that the program rebuilds it in two threads. */
async function givenLongLog() {
  const { project, folder, db } = await freshProject();
  await project.log.append(history());
  for (let batch = 0; batch < 3; batch++) await project.log.append(comments(9_000));
  return { project, folder, db };
}

test("a long log is rebuilt to the same rows in two threads as in one", async () => {
  const { project, folder } = await givenLongLog();
  const fresh = givenFreshReadModel();
  await catchUp(fresh, project.log);
  expect(await signalboxJson(["rebuild"], { cwd: folder })).toEqual({
    position: await project.log.head(),
    content_hash: fresh.contentHash(),
    stopped: [],
  });
});

test("a changed event ends the rebuild, whichever thread reduces it", async () => {
  const { project, folder, db } = await givenLongLog();
  const before = project.store.readModel.contentHash();
  const log = new Database(logPathBeside(db));
  log.exec(`DROP TRIGGER events_are_not_changed;
    UPDATE events SET payload = replace(payload, '"title":"', '"title":"Not ') WHERE type = 'task.created'`);
  expect(log.prepare("SELECT changes()").pluck().get()).toBe(2);
  log.close();
  const ran = await signalbox(["rebuild"], { cwd: folder });
  expect(ran.exitCode).not.toBe(0);
  expect(ran.stderr).toContain("was changed after it was appended");
  expect(project.store.readModel.contentHash()).toBe(before);
});
