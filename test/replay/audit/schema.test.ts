import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { planRedaction, takeRedaction } from "../../../src/decisions/rules/redact.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { tamperWith } from "../../events/log-file.ts";
import { readTree, verifyLog } from "../../support/audited-files.ts";
import { freshFolder, freshProject } from "../../support/project.ts";

/*
 * Catches: a log that looks whole and changes what is appended from now on, a row where no event can be, one number in the
 * header that hides what was edited.
 */
async function givenLog(redacted: boolean): Promise<string> {
  const { project, folder } = await freshProject();
  for (let task = 1; task <= 3; task++)
    await project.decide(createTask({ title: `Task ${task}`, description: "Once." }));
  const input = { position: 4, reason: "A secret" };
  if (redacted)
    await takeRedaction(project.store, await planRedaction(project.store, input), { actor: "human" });
  await project.close();
  return join(folder, ".ralph/db/events.db");
}

function change(path: string, sql: string): void {
  const database = new Database(path);
  database.unsafeMode();
  database.exec(`PRAGMA writable_schema = ON; ${sql}`);
  database.close();
}

const redefine = (what: string, by: string) =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${what}', '${by}') WHERE name = 'events'`;

test.each([false, true])("a log with the schema of its format is valid (redacted: %s)", async (redacted) => {
  const path = await givenLog(redacted);
  expect((await verifyLog(path)).damage).toBeUndefined();
});

test.each([
  [
    "the triggers are dropped",
    "DROP TRIGGER events_are_not_deleted",
    "trigger events_are_not_deleted is missing",
  ],
  [
    "a trigger was added that changes what was appended",
    "CREATE TRIGGER later AFTER INSERT ON events BEGIN UPDATE events SET actor = 'human' WHERE position = 1; END",
    "it has the trigger later",
  ],
  [
    "a trigger holds nothing any more",
    "DROP TRIGGER events_are_not_changed; CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events BEGIN SELECT 1; END",
    "trigger events_are_not_changed differs from that",
  ],
  ["an index is dropped", "DROP INDEX events_by_stream", "index events_by_stream is missing"],
  ["a column takes any type", redefine("STRICT", ""), "table events differs from that"],
  [
    "a rule of a column is gone",
    redefine("leaf_hash BLOB NOT NULL", "leaf_hash BLOB"),
    "table events differs from that",
  ],
  ["the number of the format is 0", "PRAGMA user_version = 0", "its format is 0"],
  ["the number of the format is -1", "PRAGMA user_version = -1", "its format is -1"],
])("verify finds in the schema that %s", async (_what, sql, words) => {
  for (const redacted of [false, true]) {
    const path = await givenLog(redacted);
    const { events } = await verifyLog(path);
    change(path, sql);
    expect(await verifyLog(path)).toMatchObject({
      events,
      damage: { check: "schema", position: events + 1, what: expect.stringContaining(words) },
    });
  }
});

test.each(["schema-v1.db", "schema-v2.db"])("the log of a released version is valid: %s", async (name) => {
  const path = join(freshFolder(), "events.db");
  copyFileSync(packagePath(join("fixtures/logs", name)), path);
  expect((await verifyLog(path)).damage).toBeUndefined();
});

test("the statistics of SQLite's ANALYZE are no damage", async () => {
  const path = await givenLog(false);
  change(path, "ANALYZE");
  expect((await verifyLog(path)).damage).toBeUndefined();
});

test("the number of another format that is known is found, too", async () => {
  const path = await givenLog(false);
  change(path, "PRAGMA user_version = 2");
  expect((await verifyLog(path)).damage).toMatchObject({ check: "schema" });
});

test.each([0, -5])("a row at position %i is named by that position", async (position) => {
  const path = await givenLog(false);
  tamperWith(path, (database) =>
    database
      .prepare(
        `INSERT INTO events SELECT ?, randomblob(16), stream, 99, type, schema_version, payload, salt, recorded_at, actor,
           causation, correlation, leaf_hash FROM events WHERE position = 3`,
      )
      .run(position),
  );
  expect((await verifyLog(path)).damage).toMatchObject({ check: "row", position });
});

test("a format that is not known hides no event that was edited, and no end that a head misses", async () => {
  const path = await givenLog(false);
  const tree = await readTree(path, [5]);
  change(path, "PRAGMA user_version = 99");
  await expect(verifyLog(path)).rejects.toThrow(expect.objectContaining({ code: "newer_schema" }));
  const root = tree.roots.get(5) ?? Buffer.alloc(0);
  const head = { origin: tree.origin, size: 6, root, text: "", signatures: [] };
  expect((await verifyLog(path, [head])).damage).toMatchObject({ check: "tail", position: 6 });
  tamperWith(path, (database) => database.exec("UPDATE events SET actor = 'evil' WHERE position = 3"));
  expect((await verifyLog(path)).damage).toMatchObject({ check: "leaf_hash", position: 3 });
});
