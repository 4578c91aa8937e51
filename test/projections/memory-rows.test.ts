import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { openRows, type Rows } from "../../src/projections/rows.ts";
import {
  createTableSql,
  defineTable,
  integer,
  nullable,
  oneOf,
  quote,
  type Table,
  text,
} from "../../src/projections/table.ts";
import { type MemoryRows, openMemoryRows } from "../../src/read-model/memory-rows.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { comments, environmentAt, NOON } from "../events/given.ts";
import { echo, givenFreshReadModel } from "./given.ts";

/* Catches: rows that stay in memory without end, that are there twice once they were evicted, or that an eviction loses. */

const notes = defineTable("notes", {
  columns: { id: integer, task_id: integer, word: nullable(text) },
  key: ["id"],
  lookups: { by_task: ["task_id"] },
});
const edges = defineTable("edges", {
  columns: { name: text, other: integer, task_id: integer, word: nullable(text) },
  key: ["name", "other"],
  lookups: { by_task: ["task_id", "word"] },
});

function givenDatabase(...tables: readonly Table[]): Database.Database {
  const database = new Database(":memory:");
  onTestFinished(() => void database.close());
  for (const table of tables) database.exec(createTableSql(table, table.name));
  return database;
}

const countIn = (database: Database.Database, table: Table) =>
  database
    .prepare(`SELECT count(*) FROM ${quote(table.name)}`)
    .pluck()
    .get();

test("at most `limit` rows stay in memory; the others are in the database", () => {
  const database = givenDatabase(notes);
  const rows = openMemoryRows(database, notes, "notes", 10);
  const ask = (id: number) => rows.get(id)?.id;
  for (let id = 1; id <= 30; id++) {
    rows.insert({ id, task_id: 1 });
    // Somebody asks again for rows of earlier rounds.
    ask(1);
    rows.evict();
    expect(id - Number(countIn(database, notes))).toBeLessThanOrEqual(10);
  }
  expect(countIn(database, notes)).toBeGreaterThanOrEqual(20);
  expect(Array.from({ length: 30 }, (_, index) => ask(index + 1))).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  rows.flush();
  expect(countIn(database, notes)).toBe(30);
});

test("write-only rows are flushed in groups, long before the limit", () => {
  const database = givenDatabase(notes);
  const rows = openMemoryRows(database, notes, "notes");
  for (let id = 1; id <= 2_000; id++) rows.insert({ id, task_id: 1 });
  rows.evict();
  expect(countIn(database, notes)).toBe(0);
  rows.insert({ id: 2_001, task_id: 1 });
  rows.evict();
  expect(countIn(database, notes)).toBe(2_001);
});

test("the database is not asked for rows that it does not have", () => {
  const database = givenDatabase(edges);
  const rows = openMemoryRows(database, edges, "edges", 10);
  for (let other = 1; other <= 30; other++) {
    rows.insert({ name: `edge ${other}`, other, task_id: other, word: "left" });
    expect(rows.get(`edge ${other}`, other)?.task_id).toBe(other);
    expect(rows.where({ task_id: other, word: "left" })).toHaveLength(1);
    rows.evict();
  }
  expect(rows.get("edge 1", 1)?.task_id).toBe(1);
  expect(rows.where({ task_id: [1, 2, 99], word: "left" })).toHaveLength(2);
  // Whoever asks it from now on is refused.
  database.exec("DROP TABLE edges");
  expect(rows.get("edge 99", 99)).toBeUndefined();
  expect(rows.where({ task_id: 99, word: "left" })).toEqual([]);
  expect(rows.where({ task_id: [98, 99], word: "left" })).toEqual([]);
  expect(() => rows.get("edge 2", 2)).toThrow("no such table");
});

test("a lookup can return more rows than a call takes arguments", () => {
  const rows = openMemoryRows(givenDatabase(notes), notes, "notes");
  const count = 200_000;
  for (let id = 1; id <= count; id++) rows.insert({ id, task_id: 1 });
  rows.evict();
  expect(rows.where({ task_id: 1 })).toHaveLength(count);
});

const allowed = defineTable("allowed", {
  columns: { id: integer, name: text, word: nullable(oneOf(["a", "b"])) },
  key: ["id"],
});

test.each([
  ["a value that is not among the allowed", { word: "c" }],
  ["text in a column of numbers", { id: "seven" }],
  ["a fraction in a column of integers", { id: 0.5 }],
  ["nothing in a column that always has something", { name: null }],
])("%s is refused at once, in memory and by the database", (_, wrong) => {
  const right = { id: 1, name: "one", word: null };
  // Rows as no reducer can write them that passes the compiler.
  const row = { ...right, ...wrong } as unknown as typeof right;
  const database = givenDatabase(allowed);
  const rows = openMemoryRows(database, allowed, "allowed");
  expect(() => rows.insert(row)).toThrow(/The column (id|name|word) of allowed cannot be /);
  expect(() => openRows(database, allowed, "allowed").insert(row)).toThrow();
  rows.insert(right);
  expect(() => rows.update(1, row)).toThrow("cannot be");
  expect(rows.get(1)).toEqual(right);
});

test("a duplicate key is refused, even if the first row was never read", () => {
  const database = givenDatabase(notes);
  const rows = openMemoryRows(database, notes, "notes");
  for (const task_id of [1, 2]) rows.insert({ id: 5, task_id });
  expect(() => rows.get(5)).toThrow("notes has two rows with the key 5");
  expect(() => rows.flush()).toThrow("UNIQUE");
});

test("a rebuild writes rows on its way, not only in the end", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "on its way"));
  for (let batch = 0; batch < 7; batch++) await log.append(comments(1_000));
  const readModel = givenFreshReadModel([echo]);
  const written: unknown[] = [];
  await rebuild(readModel, log, [echo], () =>
    written.push(readModel.database.prepare("SELECT count(*) FROM echo__r1").pluck().get()),
  );
  expect(written.at(-1)).toBeGreaterThan(2_000);
  expect(readModel.rowsOf(echo.tables).echo?.scan()).toHaveLength(7_000);
});

type AnyRows = Rows<Table>;
type Step = (rows: AnyRows) => unknown;

/** What can be done with rows, on few keys, so that the same ones come again and again. */
const steps: fc.Arbitrary<readonly [string, Step]> = (() => {
  const id = fc.integer({ min: 1, max: 12 });
  const task = fc.integer({ min: 1, max: 3 });
  const word = fc.constantFrom("a", "b", null);
  const named = (name: string, step: Step) => [name, step] as const;
  return fc.oneof(
    fc
      .tuple(id, task, word)
      .map(([one, task_id, said]) =>
        named(`insert ${one} ${task_id} ${said}`, (rows) =>
          rows.get(...keyOf(rows, one)) ? "there" : rows.insert(rowOf(rows, one, task_id, said)),
        ),
      ),
    fc
      .tuple(id, task, word)
      .map(([one, task_id, said]) =>
        named(`update ${one} ${task_id} ${said}`, (rows) =>
          rows.update(keyOf(rows, one), { task_id, word: said }),
        ),
      ),
    id.map((one) => named(`delete ${one}`, (rows) => rows.delete(...keyOf(rows, one)))),
    id.map((one) => named(`get ${one}`, (rows) => rows.get(...keyOf(rows, one)))),
    task.map((task_id) => named(`where ${task_id}`, (rows) => rows.where({ task_id }))),
    fc
      .tuple(task, fc.constantFrom("a", "b"))
      .map(([task_id, said]) =>
        named(`where ${task_id} ${said}`, (rows) => rows.where({ task_id, word: said })),
      ),
    fc.array(task).map((tasks) => named(`where in ${tasks}`, (rows) => rows.where({ task_id: tasks }))),
    fc
      .tuple(task, fc.integer({ min: 1, max: 4 }))
      .map(([task_id, limit]) =>
        named(`first ${limit} of ${task_id}`, (rows) => rows.first(limit, { task_id })),
      ),
    word.map((said) => named(`scan ${said}`, (rows) => rows.scan((row) => row.word === said))),
    fc.constant(named("evict", (rows) => ("evict" in rows ? (rows as MemoryRows).evict() : undefined))),
  );
})();

const tableOf = new WeakMap<AnyRows, Table>();

function keyOf(rows: AnyRows, id: number): (string | number)[] {
  return tableOf.get(rows) === notes ? [id] : [`name ${id % 3}`, id];
}

function rowOf(rows: AnyRows, id: number, task_id: number, word: string | null): Record<string, never> {
  const key = tableOf.get(rows) === notes ? { id } : { name: `name ${id % 3}`, other: id };
  // A row of either table, which only the run knows.
  return { ...key, task_id, word } as unknown as Record<string, never>;
}

test.each([notes, edges])(
  "rows of $name in memory give the same answers as the database, whatever is evicted",
  (table) => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60, size: "max" }), (script) => {
        const [database, reference] = [givenTable(table), givenTable(table)];
        try {
          const expected = openRows(reference, table, table.name) as AnyRows;
          const rows: AnyRows = openMemoryRows<Table>(database, table, table.name, LIMIT);
          tableOf.set(expected, table);
          tableOf.set(rows, table);
          for (const [name, step] of script) expect(step(rows), name).toEqual(step(expected));
          (rows as MemoryRows).flush();
          const all = (one: Database.Database) =>
            one.prepare(`SELECT * FROM ${quote(table.name)} ORDER BY ${table.key.join()}`).all();
          expect(all(database)).toEqual(all(reference));
        } finally {
          database.close();
          reference.close();
        }
      }),
      { numRuns: 200 },
    );
  },
);

const LIMIT = 3;

function givenTable(table: Table): Database.Database {
  const database = new Database(":memory:");
  database.exec(createTableSql(table, table.name));
  return database;
}
