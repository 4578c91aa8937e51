import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { asLogError, createLogFile, openForReading, openForWriting } from "../../src/events/sqlite-file.ts";
import { LogError } from "../../src/lib/log-error.ts";
import { comments } from "./given.ts";
import { damageMessage, givenLogFile, givenPath, openElsewhere, openForTest } from "./log-file.ts";

/* Catches: a file that is opened and is no log; an error that leaves out which file, why, or what to do. */
const opens: readonly [string, (path: string) => unknown][] = [
  ["reading", openForReading],
  ["writing", openForWriting],
];

test.each(opens)("opening for %s a missing log says how to create it", (_what, open) => {
  const path = givenPath();
  const message = `There is no event log at ${path}. Create a project with \`signalbox init\`.`;
  expect(() => open(path)).toThrow(expect.objectContaining({ name: "LogError", code: "disk", message }));
});

test.each(opens)("opening for %s an impossible path reports the system's reason", (_what, open) => {
  const path = join(dirname(givenPath()), "x".repeat(300));
  const message = `The log ${path} cannot be reached: ENAMETOOLONG: name too long, stat '${path}'.`;
  const cause = expect.objectContaining({ code: "ENAMETOOLONG" });
  expect(() => open(path)).toThrow(expect.objectContaining({ code: "disk", message, cause }));
});

test.each([
  ["reading", openForReading, "disk I/O error (SQLITE_IOERR_READ)"],
  ["writing", openForWriting, "unable to open database file (SQLITE_CANTOPEN)"],
])("opening for %s a folder says that it cannot be used", (_what, open, reason) => {
  const path = givenPath();
  mkdirSync(path);
  const message = `The log ${path} cannot be used: ${reason}.`;
  expect(() => open(path)).toThrow(expect.objectContaining({ code: "disk", message }));
});

test.each(opens)("opening for %s a text says that it is no log", (_what, open) => {
  const path = givenPath();
  writeFileSync(path, "once upon a time ".repeat(500));
  const message = damageMessage(path, "file is not a database");
  const cause = expect.objectContaining({ code: "SQLITE_NOTADB" });
  expect(() => open(path)).toThrow(expect.objectContaining({ code: "damaged", message, cause }));
});

test.each([...opens, ["making", createLogFile] as const])(
  "opening for %s a database of something else says so",
  (_what, open) => {
    const path = givenPath();
    openElsewhere(path).exec("CREATE TABLE events (position INTEGER)");
    const message = `${path} is a database, but not an event log of signalbox.`;
    expect(() => open(path)).toThrow(expect.objectContaining({ code: "damaged", message }));
  },
);

test.each([...opens, ["making", createLogFile] as const])(
  "opening for %s a log of a newer format says which, and to update",
  (_what, open) => {
    const path = givenLogFile();
    openElsewhere(path).pragma("user_version = 99");
    const message =
      `The log ${path} has format 99; this version of signalbox knows up to 2. ` +
      "A newer version has opened it: update signalbox here.";
    expect(() => open(path)).toThrow(expect.objectContaining({ code: "newer_schema", message }));
  },
);

test("a log beside which an older journal was put is refused for reading", async () => {
  const path = givenLogFile();
  const log = openForTest(path);
  await log.append(comments(200));
  copyFileSync(`${path}-wal`, `${path}.kept`);
  await log.append(comments(200));
  await log.close();
  copyFileSync(`${path}.kept`, `${path}-wal`);
  const message = damageMessage(
    path,
    "the -wal beside it is older than the file, or belongs to another file",
  );
  expect(() => openForReading(path)).toThrow(expect.objectContaining({ code: "damaged", message }));
});

test("a log is made for its owner alone, and every write to it reaches the disk before it is acknowledged", () => {
  const path = givenLogFile();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const writer = openForWriting(path);
  expect(writer.pragma("journal_mode", { simple: true })).toBe("wal");
  // 2 is FULL.
  expect(writer.pragma("synchronous", { simple: true })).toBe(2);
  writer.close();
});

const path = "/project/.ralph/db/events.db";
const taken = "An id generated for this append is already in the log; append again.";
const translations: readonly [string, string, string, string][] = [
  ["SQLITE_BUSY", "database is locked", "busy", `The log ${path} is locked by another process; try again.`],
  [
    "SQLITE_BUSY_SNAPSHOT",
    "database is locked",
    "busy",
    `The log ${path} is locked by another process; try again.`,
  ],
  ...["SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_READONLY_DBMOVED", "SQLITE_PERM"].map(
    (code): [string, string, string, string] => [
      code,
      "it failed",
      "disk",
      `The log ${path} cannot be used: it failed (${code}).`,
    ],
  ),
  ["SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed: events.id", "id_conflict", taken],
  ["SQLITE_CONSTRAINT_TRIGGER", "events: the id is taken", "id_conflict", taken],
  [
    "SQLITE_CONSTRAINT_TRIGGER",
    "events: the stream must exist",
    "damaged",
    damageMessage(path, "events: the stream must exist"),
  ],
  ["SQLITE_CORRUPT", "malformed", "damaged", damageMessage(path, "malformed")],
];

test.each(translations)("%s (%s) is reported as %s", (sqlite, said, code, message) => {
  const cause = new Database.SqliteError(said, sqlite);
  const error = asLogError(cause, path);
  expect(error).toBeInstanceOf(LogError);
  expect(error).toMatchObject({ code, message, cause });
});

test.each(["SQLITE_NOMEM", "SQLITE_INTERRUPT", "SQLITE_MISUSE"])("%s is not an error of the log", (code) => {
  const cause = new Database.SqliteError("it failed", code);
  expect(asLogError(cause, path)).toBe(cause);
});

test("damage is reported once with its file; other errors stay unchanged", () => {
  const finding = new LogError("damaged", "position 7 is missing");
  const told = asLogError(finding, path);
  expect(told).toMatchObject({
    code: "damaged",
    message: damageMessage(path, "position 7 is missing"),
    cause: finding,
  });
  for (const error of [told, new LogError("busy", "wait"), new TypeError("bug")]) {
    expect(asLogError(error, path)).toBe(error);
  }
});

test.each(opens)(
  "a damaged schema that quotes a trigger's message, opened for %s, is damage and not a duplicate id",
  (_what, open) => {
    const path = givenLogFile();
    const database = new Database(path);
    database.unsafeMode();
    database.pragma("writable_schema = ON");
    database.exec(
      "UPDATE sqlite_schema SET sql = replace(sql, 'ABORT, ''events: the id', 'ABORT ''events: the id')",
    );
    database.close();
    expect(() => open(path)).toThrow(
      expect.objectContaining({ code: "damaged", message: expect.stringContaining("id is taken") }),
    );
  },
);
