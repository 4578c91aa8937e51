import { existsSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { codeOf, comment, comments, environmentAt, everythingIn, NOON } from "./given.ts";
import { describeLog } from "./log-contract.ts";
import { givenPath, openFile } from "./log-file.ts";

describeLog("the SQLite log", openFile);

const open = (path: string) => openSqliteLog(path, environmentAt({ now: NOON }, "file"));

test("opening a log that is not there is refused, and makes no file", async () => {
  const path = givenPath();
  expect(await codeOf(async () => open(path))).toBe("disk");
  expect(existsSync(path)).toBe(false);
});

test("a file that is no database, and a database of something else, are refused and left alone", async () => {
  const [text, other] = [givenPath(), givenPath()];
  writeFileSync(text, "once upon a time ".repeat(500));
  new Database(other).exec("CREATE TABLE events (position INTEGER); INSERT INTO events VALUES (1)").close();
  for (const path of [text, other]) {
    expect(await codeOf(async () => open(path))).toBe("damaged");
    expect(await codeOf(async () => createLogFile(path))).toBe("damaged");
  }
  expect(new Database(other, { readonly: true }).prepare("SELECT * FROM events").all()).toHaveLength(1);
});

test("a file of a newer format is refused with newer_schema", async () => {
  const path = givenPath();
  createLogFile(path);
  const database = new Database(path);
  database.pragma("user_version = 99");
  database.close();
  expect(await codeOf(async () => open(path))).toBe("newer_schema");
  expect(await codeOf(async () => createLogFile(path))).toBe("newer_schema");
});

test("creating a log leaves an existing one unchanged", async () => {
  const path = givenPath();
  createLogFile(path);
  const log = open(path);
  await log.append(comments(3));
  const before = await everythingIn(log);
  createLogFile(path);
  expect(await everythingIn(log)).toEqual(before);
  await log.append([comment("still here")]);
  expect(await log.head()).toBe(4);
  await log.close();
});

test("an append waits for another process's transaction and is then done", async () => {
  const path = givenPath();
  createLogFile(path);
  const log = open(path);
  const other = new Database(path);
  other.exec("BEGIN IMMEDIATE");
  const append = log.append([comment("patient")]);
  const first = await Promise.race([append, new Promise((resolve) => setImmediate(resolve, "locked out"))]);
  expect(first).toBe("locked out");
  other.exec("COMMIT");
  expect((await append).outcome).toBe("appended");
  other.close();
  await log.close();
});
