import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { verifyLog } from "../support/audited-files.ts";
import { type ForeignEvent, insertForeign } from "./foreign-records.ts";
import { answerOf, codeOf, comment, environmentAt, everythingIn, NOON, temporaryFolder } from "./given.ts";
import { recomputedLeafHash, storedRows } from "./stored-rows.ts";

/*
 * A log that version 1 of `session.ended` was written to (fixtures/logs/README.md). Catches: an upcaster that is lost
 * or changed, a leaf hash over upcast bytes, a log of a newer program that is read all the same. What the log reduces
 * to is held by test/survival/golden.test.ts.
 */
let path: string;
beforeEach(() => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  path = join(folder.path, "events.db");
});

function givenOldLog(): EventLog {
  copyFileSync(packagePath("fixtures/logs/schema-v1.db"), path);
  return openForTest();
}

function openForTest(): EventLog {
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "present"));
  onTestFinished(() => log.close());
  return log;
}

test("session.ended of version 1 is read as the present version, its exit following from the outcome", async () => {
  const ended = (await everythingIn(givenOldLog())).filter(({ type }) => type === "session.ended");
  expect(ended.map(({ payload, schemaVersion }) => ({ payload, schemaVersion }))).toStrictEqual([
    { payload: { session: "s-1", exit: "exited" }, schemaVersion: 1 },
    { payload: { session: "s-2", exit: "crashed" }, schemaVersion: 1 },
    { payload: { session: "s-3", exit: "crashed" }, schemaVersion: 1 },
    { payload: { session: "s-4", exit: "timed_out" }, schemaVersion: 1 },
  ]);
});

test("the leaf hashes of an old log hold over the bytes that were stored, before and after a present append", async () => {
  const log = givenOldLog();
  const database = new Database(path, { readonly: true });
  onTestFinished(() => void database.close());
  const before = storedRows(database);
  expect(before.map(({ payload }) => payload)).toContain('{"session":"s-1","outcome":"success"}');
  await log.append([comment("from today", 3)]);
  const after = storedRows(database);
  expect(after.slice(0, -1)).toEqual(before);
  for (const row of after) expect(row.leaf_hash.toString("hex")).toBe(recomputedLeafHash(row));
  const read = (await everythingIn(log)).map(({ leafHash }) => leafHash);
  expect(read).toEqual(after.map(({ leaf_hash }) => leaf_hash.toString("hex")));
});

test("the board of an old log is the one that its history gives", async () => {
  const readModel = new ReadModel(":memory:");
  await catchUp(readModel, givenOldLog());
  const list = (sql: string) => readModel.database.prepare(sql).raw().all();
  expect(list("SELECT id, status, stuck_count, remaining FROM tasks")).toEqual([
    [1, "done", 0, null],
    [2, "pending", 2, null],
    [3, "pending", 0, "The data rows."],
  ]);
  expect(list("SELECT id, task_id, exit, outcome, current_state FROM sessions")).toEqual([
    ["s-1", 1, "exited", "success", "done"],
    ["s-2", 2, "crashed", "failure", "failed"],
    ["s-3", 3, "crashed", "partial", "done"],
    ["s-4", 2, "timed_out", "timeout", "failed"],
  ]);
  expect(list("SELECT id, text FROM learnings")).toEqual([[5, "Channels are joined by name."]]);
  expect(list("SELECT author, body FROM comments")).toEqual([["Ada", "Semicolons, please."]]);
});

test("an old event that is sent again, in the present form, is recognised", async () => {
  const log = givenOldLog();
  const [old] = (await everythingIn(log)).filter(({ type }) => type === "session.ended");
  if (!old) throw new Error("The fixture has sessions that ended.");
  const { id, type, payload, actor, correlation = "" } = old;
  const again = await answerOf(log.append([{ id, type, payload, actor, correlation }]));
  expect(again).toEqual({ outcome: "appended_before", events: [old] });
  const otherwise = { session: "s-1", exit: "crashed" };
  expect(await codeOf(log.append([{ id, type, payload: otherwise, actor, correlation }]))).toBe(
    "id_conflict",
  );
});

const commentOf = (schemaVersion: number): ForeignEvent => ({
  type: "comment.added",
  schemaVersion,
  stream: "task-7",
  payload: '{"task":7,"author":"human","body":"from tomorrow","mood":"good"}',
});

test.each([
  ["a newer schema version", commentOf(3), "newer_schema"],
  ["an unknown type", { ...commentOf(1), type: "comment.liked" }, "newer_schema"],
])(
  "an event of %s is refused wherever it is read, and earlier events are not",
  async (_what, event, code) => {
    createLogFile(path);
    const log = openForTest();
    await log.append([comment("before")]);
    insertForeign(path, event);
    expect(await log.read(0, 1)).toHaveLength(1);
    expect(await log.head()).toBe(2);
    expect(await codeOf(log.read(0, 2))).toBe(code);
    expect(await codeOf(log.read(1, 1))).toBe(code);
    expect(await codeOf(log.readStream("task-7", 0, 9))).toBe(code);
    const error = await new Promise((resolve) => log.follow(1).subscribe({ error: resolve }));
    expect(error).toMatchObject({ name: "LogError", code });
  },
);

test("a read model refuses a newer program's log, and keeps its tables", async () => {
  createLogFile(path);
  const log = openForTest();
  const readModel = new ReadModel(":memory:");
  await log.append([comment("before")]);
  await catchUp(readModel, log);
  const before = readModel.contentHash();
  insertForeign(path, commentOf(3));
  expect(await codeOf(catchUp(readModel, log))).toBe("newer_schema");
  expect(readModel.contentHash()).toBe(before);
  expect(readModel.position()).toBe(1);
});

test("the kept part of a redaction by a newer program is neither read nor reported as damage", async () => {
  createLogFile(path);
  const log = openForTest();
  await log.append([comment("the secret")]);
  const redaction = await redactionOf(log, 1);
  const kept = { ...redaction.payload.kept, mood: "good" };
  const payload = JSON.stringify({ ...redaction.payload, schema_version: 3, kept });
  insertForeign(path, { type: "event.redacted", schemaVersion: 1, stream: "redactions", payload });
  expect(await codeOf(log.read(0, 1))).toBe("newer_schema");
  expect(await verifyLog(path)).toMatchObject({ events: 2, damage: undefined });
});

test("an event of an older version that is redacted is read as the redaction kept it, of the present version", async () => {
  copyFileSync(packagePath("fixtures/logs/schema-v2.db"), path);
  const log = openForTest();
  const isAttempt = ({ type }: { type: string }) => type === "gate.attempted";
  const before = (await everythingIn(log)).find(isAttempt);
  if (!before) throw new Error("The fixture has a run of a gate.");
  const redaction = await redactionOf(log, before.position);
  await log.append([redaction]);
  const stdout = { head: "[redacted]", tail: "", omitted_characters: 0 };
  const after = { ...before, payload: { ...before.payload, stdout }, redacted: await log.head() };
  expect(await log.find(before.id)).toEqual(after);
  expect((await everythingIn(log)).find(isAttempt)).toEqual(after);
  expect(await verifyLog(path)).toMatchObject({ damage: undefined });
});

test("a payload that is not JSON is told as damage", async () => {
  createLogFile(path);
  const log = openForTest();
  insertForeign(path, { ...commentOf(1), payload: '{"task":7' });
  expect(await codeOf(log.read(0, 1))).toBe("damaged");
});

test("gate.attempted of version 1 is upcast: its texts become outputs, and unknown fields are absent", async () => {
  copyFileSync(packagePath("fixtures/logs/schema-v2.db"), path);
  const attempts = (await everythingIn(openForTest())).filter(({ type }) => type === "gate.attempted");
  const output = (head: string) => ({ head, tail: "", omitted_characters: 0 });
  expect(attempts.map(({ payload, schemaVersion }) => ({ payload, schemaVersion }))).toStrictEqual([
    {
      payload: {
        ...{ task: 7, gate: 1, session: "s-1" },
        ...{ exit_code: 1, signal: null, timed_out: false, interrupted: false, duration_ms: 2_300 },
        ...{ stdout: output("1 failing"), stderr: output(""), explanation: null, left_behind: [] },
      },
      schemaVersion: 1,
    },
  ]);
});
