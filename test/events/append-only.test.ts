import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { comment, environmentAt, NOON, temporaryFolder } from "./given.ts";

/*
 * Rewriting the log with SQL, below our own code. Every attack must fail by one of the schema's own triggers, never by
 * a slip in the attack: the same statements with an honest row are accepted ("control"). Catches: any trigger that is
 * dropped or loses one of its demands.
 */

type Value = string | number | Buffer | null;
type Row = Record<string, Value>;

let image: Buffer;
let database: Database.Database;

beforeAll(async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "events.db");
  createLogFile(path);
  const log = openSqliteLog(path, environmentAt({ now: NOON }, "honest"));
  await log.append([comment("one", 1), comment("two", 2), comment("three", 1), comment("four", 1)]);
  await log.close();
  const file = new Database(path);
  // An image of a database in WAL mode could not be opened in memory.
  file.pragma("journal_mode = DELETE");
  image = file.serialize();
  file.close();
  folder.remove();
});

beforeEach(() => {
  database = new Database(image);
});

afterEach(() => {
  database.close();
});

const pragmas = [
  ["recursive_triggers = OFF", "foreign_keys = ON"],
  ["recursive_triggers = ON", "foreign_keys = ON"],
  ["recursive_triggers = OFF", "foreign_keys = OFF"],
  ["recursive_triggers = ON", "foreign_keys = OFF"],
] as const;

describe.each(pragmas)("with %s and %s", (...settings) => {
  beforeEach(() => {
    for (const setting of settings) database.pragma(setting);
  });

  const statements = [
    "UPDATE events SET payload = '{}' WHERE position = 2",
    "UPDATE events SET payload = payload",
    "UPDATE events SET payload = NULL, salt = NULL WHERE position = 2",
    "UPDATE events SET position = 9 WHERE position = 4",
    "UPDATE events SET recorded_at = '1999-01-01T00:00:00.000000Z' WHERE position = 1",
    "UPDATE OR REPLACE events SET position = 1 WHERE position = 2",
    "UPDATE OR REPLACE events SET id = (SELECT id FROM events WHERE position = 1) WHERE position = 2",
    "UPDATE OR IGNORE events SET actor = 'nobody'",
    "DELETE FROM events",
    "DELETE FROM events WHERE position = 4",
    "DELETE FROM events ORDER BY position DESC LIMIT 1",
    "UPDATE streams SET name = 'task-9' WHERE key = 1",
    "UPDATE streams SET key = 9 WHERE key = 2",
    "UPDATE OR REPLACE streams SET name = 'task-1' WHERE key = 2",
    "DELETE FROM streams WHERE key = 2",
    "DELETE FROM streams",
    "INSERT OR REPLACE INTO streams (key, name) VALUES (1, 'task-9')",
    "INSERT OR REPLACE INTO streams (key, name) VALUES (3, 'task-1')",
    "REPLACE INTO streams (key, name) VALUES (2, 'task-1')",
    "INSERT INTO streams (key, name) VALUES (3, 'task-1') ON CONFLICT (name) DO UPDATE SET key = 3",
    "INSERT INTO streams (key, name) VALUES (1, 'x') ON CONFLICT (key) DO UPDATE SET name = 'x'",
    "INSERT INTO streams (key, name) VALUES (9, 'task-9')",
    "INSERT INTO streams (name) VALUES ('task-9')",
  ];
  test.each(statements.filter(runsHere))("%s fails and changes nothing", (sql) => {
    expectRefused(() => database.exec(sql));
  });

  const changes: readonly [string, () => Row][] = [
    ["at a position that is taken", () => ({ position: 2 })],
    ["at the last position again", () => ({ position: 4 })],
    ["behind a gap", () => ({ position: 6 })],
    ["at position 0", () => ({ position: 0 })],
    ["at a negative position", () => ({ position: -1 })],
    ["without a position", () => ({ position: null })],
    ["under an id that is taken", () => ({ id: column("id", 2) })],
    ["at a stream version that is taken", () => ({ stream_version: 2 })],
    ["behind a gap in its stream", () => ({ stream_version: 5 })],
    ["at stream version 0", () => ({ stream_version: 0 })],
    ["before the last event's time", () => ({ recorded_at: column("recorded_at", 1) })],
    ["at the last event's time", () => ({ recorded_at: column("recorded_at", 4) })],
    ["without a payload", () => ({ payload: null })],
    ["without a salt", () => ({ salt: null })],
    ["with a short leaf hash", () => ({ leaf_hash: randomBytes(31) })],
    [
      "that takes a whole old place",
      () => ({ position: 2, id: column("id", 2), stream: 2, stream_version: 1 }),
    ],
    ["in a stream that does not exist", () => ({ stream: 99, stream_version: 1 })],
  ];
  test.each(changes)("a row %s is refused by every kind of insert", (_what, change) => {
    for (const insert of inserts) expectRefused(() => insert({ ...honestRow(), ...change() }));
  });

  test("control: an honest row is accepted by every kind of insert", () => {
    for (const insert of inserts) {
      database.exec("BEGIN");
      insert(honestRow());
      expect(database.prepare("SELECT max(position) FROM events").pluck().get()).toBe(5);
      database.exec("ROLLBACK");
    }
  });
});

const inserts = [
  "INSERT",
  "INSERT OR ABORT",
  "INSERT OR FAIL",
  "INSERT OR IGNORE",
  "INSERT OR ROLLBACK",
  "INSERT OR REPLACE",
  "REPLACE",
]
  .map((verb) => (row: Row) => insertWith(verb, row, ""))
  .concat(
    ["position", "id", "stream, stream_version"].map(
      (target) => (row: Row) =>
        insertWith("INSERT", row, `ON CONFLICT (${target}) DO UPDATE SET payload = excluded.payload`),
    ),
  );

function insertWith(verb: string, row: Row, rest: string): void {
  const names = Object.keys(row);
  const values = names.map((name) => `:${name}`).join(", ");
  database.prepare(`${verb} INTO events (${names.join(", ")}) VALUES (${values}) ${rest}`).run(row);
}

/** The row that would come next, made by somebody who keeps every rule but goes around our code. */
function honestRow(): Row {
  return {
    position: 5,
    id: randomBytes(16),
    stream: 1,
    stream_version: 4,
    type: "comment.added",
    schema_version: 1,
    payload: '{"task":1,"author":"human","body":"five"}',
    salt: randomBytes(16),
    recorded_at: "2026-02-12T00:00:00.000000Z",
    actor: "human",
    causation: null,
    correlation: null,
    leaf_hash: randomBytes(32),
  };
}

function column(name: string, position: number): Value {
  const value = database.prepare<[number], Value>(`SELECT ${name} FROM events WHERE position = ?`).pluck();
  return value.get(position) ?? null;
}

function expectRefused(attack: () => unknown): void {
  const before = content();
  expect(attack).toThrow(/^(events|streams): |FOREIGN KEY/);
  expect(database.inTransaction).toBe(false);
  expect(content()).toEqual(before);
}

function content(): unknown[] {
  return ["events ORDER BY position", "streams ORDER BY key"].map((from) =>
    database.prepare(`SELECT * FROM ${from}`).all(),
  );
}

/** DELETE … LIMIT is an option of SQLite's build. */
function runsHere(sql: string): boolean {
  if (!sql.includes("LIMIT")) return true;
  const memory = new Database(":memory:");
  return memory.prepare("SELECT sqlite_compileoption_used('ENABLE_UPDATE_DELETE_LIMIT')").pluck().get() === 1;
}
