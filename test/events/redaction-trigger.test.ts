import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { comments, environmentAt, NOON } from "./given.ts";
import { givenPath } from "./log-file.ts";
import { recomputedLeafHash, storedRows } from "./stored-rows.ts";

/** A log of three comments whose first one the fourth event redacts. */
async function givenRedacted(): Promise<string> {
  const path = givenPath();
  createLogFile(path);
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "redacted"));
  await log.append(comments(3));
  await log.append([await redactionOf(log, 1)]);
  await log.close();
  return path;
}

/* The first control is the redaction that the log itself has done. Catches: any demand of the trigger that is dropped. */
test.each([
  "UPDATE events SET payload = NULL, salt = NULL WHERE position = 2",
  "UPDATE events SET payload = NULL, salt = NULL, payload_hash = (SELECT payload_hash FROM events WHERE position = 1) WHERE position = 2",
  "UPDATE events SET payload = NULL, salt = NULL, payload_hash = (SELECT payload_hash FROM events WHERE position = 1) WHERE position = 1",
  "UPDATE events SET payload = '{}', salt = x'00' WHERE position = 1",
  "UPDATE events SET payload_hash = zeroblob(32) WHERE position = 1",
  "UPDATE events SET actor = 'x' WHERE position = 1",
  "UPDATE events SET payload = NULL WHERE position = 4",
  "UPDATE OR REPLACE events SET position = 2 WHERE position = 1",
  "DELETE FROM events WHERE position = 1",
  "INSERT INTO events SELECT position + 1, randomblob(16), stream, stream_version + 1, type, schema_version, payload, salt, '9999', actor, causation, correlation, leaf_hash, zeroblob(32) FROM events WHERE position = 4",
])("in a log with redactions %s fails", async (sql) => {
  const database = new Database(await givenRedacted());
  const before = database.prepare("SELECT * FROM events").all();
  expect(() => database.exec(sql)).toThrow(/^events: /);
  expect(database.prepare("SELECT * FROM events").all()).toEqual(before);
  database.close();
});

test("a log gets the format of redactions with its first one, and the leaf is that of the kept payload hash", async () => {
  const path = givenPath();
  createLogFile(path);
  const before = new Database(path);
  expect(before.pragma("user_version", { simple: true })).toBe(1);
  before.close();
  const database = new Database(await givenRedacted());
  expect(database.pragma("user_version", { simple: true })).toBe(2);
  const row = database
    .prepare("SELECT payload, salt, length(payload_hash) AS bytes FROM events WHERE position = 1")
    .get();
  expect(row).toEqual({ payload: null, salt: null, bytes: 32 });
  for (const stored of storedRows(database).slice(1)) {
    expect(recomputedLeafHash(stored)).toBe(stored.leaf_hash.toString("hex"));
  }
  database.close();
});
