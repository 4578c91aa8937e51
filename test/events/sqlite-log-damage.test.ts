import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { APPLICATION_ID } from "../../src/events/sqlite-schema.ts";
import { codeOf, comment, comments, id, positionsOf } from "./given.ts";
import { damageMessage, givenLogFile, givenPath, openElsewhere, openForTest, tamper } from "./log-file.ts";

/*
 * A log whose rows were changed below its triggers. Catches: a changed or missing event that is read as if nothing
 * were, damage that is written behind, a log that stays refused when it is whole again.
 */
const changeSecond = "UPDATE events SET actor = 'nobody' WHERE position = 2";
const changeBack = "UPDATE events SET actor = 'human' WHERE position = 2";

async function givenLog() {
  const path = givenLogFile();
  const log = openForTest(path);
  await log.append([comment("one"), { ...comment("two"), id: id(2) }, comment("three"), comment("four", 8)]);
  return { path, log };
}

test("a changed event is reported as damage with its position, however it is read", async () => {
  const { path, log } = await givenLog();
  tamper(path, changeSecond);
  const found = "the event at position 2 was changed after it was appended";
  const error = {
    name: "LogError",
    code: "damaged",
    message: damageMessage(path, found),
    cause: { message: found },
  };
  await expect(log.read(1, 1)).rejects.toMatchObject(error);
  await expect(log.readStream("task-7", 0, 9)).rejects.toMatchObject(error);
  await expect(log.find(id(2))).rejects.toMatchObject(error);
  expect(positionsOf(await log.read(2, 9))).toEqual([3, 4]);
});

test.each([
  ["the first", "DELETE FROM events WHERE position = 1", "position 1", "stream_version 1"],
  ["one between others", "DELETE FROM events WHERE position = 2", "position 2", "stream_version 2"],
  ["one whose stream is gone", "DELETE FROM streams WHERE name = 'task-8'", "position 4", undefined],
])("a missing event, %s, is reported by number", async (_which, sql, position, version) => {
  const { path, log } = await givenLog();
  tamper(path, sql);
  await expect(log.read(0, 9)).rejects.toThrow(damageMessage(path, `${position} is missing`));
  if (!version) return;
  await expect(log.readStream("task-7", 0, 9)).rejects.toThrow(damageMessage(path, `${version} is missing`));
});

test("a missing event inside a later page is reported by number", async () => {
  const { path, log } = await givenLog();
  tamper(path, "DELETE FROM events WHERE position = 3");
  await expect(log.read(1, 9)).rejects.toThrow("(position 3 is missing)");
});

test("a log with known damage accepts no appends until it is intact again", async () => {
  const { path, log } = await givenLog();
  tamper(path, changeSecond);
  expect(await codeOf(log.append([comment("before anybody has looked")]))).toBe("none");
  expect(await codeOf(log.read(0, 9))).toBe("damaged");
  for (const _attempt of ["first", "second"]) {
    await expect(log.append([comment("behind it")])).rejects.toMatchObject({
      code: "damaged",
      message: damageMessage(path, "the event at position 2 was changed after it was appended"),
    });
  }
  expect(await log.head()).toBe(5);
  tamper(path, changeBack);
  expect((await log.append([comment("whole again")])).events[0]?.position).toBe(6);
  expect(positionsOf(await log.read(0, 9))).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a log is not intact while SQLite finds a fault in it", async () => {
  const { path, log } = await givenLog();
  const redefine = (from: string, to: string) =>
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}'); PRAGMA writable_schema = RESET`;
  tamper(path, changeSecond);
  expect(await codeOf(log.read(0, 9))).toBe("damaged");
  tamper(path, changeBack);
  tamper(path, redefine("correlation TEXT", "correlation TEXT NOT NULL"));
  expect(await log.read(0, 9)).toHaveLength(4);
  await expect(log.append([comment("behind it")])).rejects.toThrow(
    "the event at position 2 was changed after it was appended",
  );
  tamper(path, redefine("correlation TEXT NOT NULL", "correlation TEXT"));
  expect(await codeOf(log.append([comment("whole again")]))).toBe("none");
});

test("damage met by an append refuses all waiting and later appends", async () => {
  const { path, log } = await givenLog();
  tamper(path, changeSecond);
  const calls = [
    log.append([comment("new")]),
    log.append([{ ...comment("two"), id: id(2) }]),
    log.append([{ ...comment("one"), id: id(9) }]),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(["damaged", "damaged", "damaged"]);
  expect(await codeOf(log.append([comment("later")]))).toBe("damaged");
  expect(await log.head()).toBe(4);
});

test("damage leaves no handle open behind the log that met it", async () => {
  const { path, log } = await givenLog();
  tamper(path, changeSecond);
  expect(await codeOf(log.append([{ ...comment("two"), id: id(2) }]))).toBe("damaged");
  expect(await codeOf(log.read(0, 9))).toBe("damaged");
  expect(await codeOf(log.append(comments(1)))).toBe("damaged");
  tamper(path, changeBack);
  expect(await codeOf(log.append(comments(1)))).toBe("none");
  await log.close();
  // The last connection that closes removes the journal: one that was left would keep it.
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a database that only says that it is a log is refused, and let go of", () => {
  const path = givenPath();
  const database = openElsewhere(path);
  database.pragma("journal_mode = WAL");
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.close();
  const message = damageMessage(path, "no such table: events");
  expect(() => openForTest(path)).toThrow(expect.objectContaining({ code: "damaged", message }));
});

test("a log is read again after a temporary read failure, even if others closed it meanwhile", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  const other = openForTest(path);
  await other.append([comment("whole")]);
  const payload = JSON.stringify(comment("whole").payload);
  tamper(path, "UPDATE events SET payload = 'no JSON'");
  expect(await codeOf(log.read(0, 9))).toBe("damaged");
  tamper(path, `UPDATE events SET payload = '${payload}'`);
  // As the last one that has it open it removes the -wal, which the log then makes anew.
  await other.close();
  expect(await log.head()).toBe(1);
  expect(await log.read(0, 9)).toHaveLength(1);
});
