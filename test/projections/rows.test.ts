import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { projections } from "../../src/projections/all.ts";
import { openRows, type Rows } from "../../src/projections/rows.ts";
import {
  createIndexSql,
  createLookupSql,
  createTableSql,
  defineTable,
  integer,
  type Table,
  text,
} from "../../src/projections/table.ts";

/* Catches: a question of a reducer or a reader whose time grows with the table, and which does not say so. */

const calls = defineTable("calls", {
  columns: { id: integer, task_id: integer, session_id: text, verb: text },
  key: ["id"],
  lookups: { by_task: ["task_id", "verb"] },
  indexes: { by_session: ["session_id"] },
});

test("`where` and `first` compile only with the first column of a key or of an index", () => {
  const rows = givenRows(calls);
  const reader: Rows<typeof calls, "id" | "task_id" | "session_id"> = rows;
  const found = [
    ...rows.where({ id: 1 }),
    ...rows.where({ task_id: [1, 2], verb: "ask" }),
    ...rows.where({ task_id: 1, session_id: "s-1" }),
    ...reader.where({ session_id: "s-1" }),
    ...rows.scan(({ verb }) => verb === "ask"),
  ];
  expect(found).toEqual([]);
  const refused = () => [
    // @ts-expect-error no index begins with it
    ...rows.where({ verb: "ask" }),
    // @ts-expect-error no index begins with it
    ...rows.first(1, { verb: "ask" }),
    // @ts-expect-error reducers have lookups alone: a rebuild makes the other indexes last
    ...rows.where({ session_id: "s-1" }),
    // @ts-expect-error all rows are asked for by `scan`
    ...rows.where({}),
    // @ts-expect-error there is no such column
    ...rows.where({ id: 1, body: "" }),
    // @ts-expect-error it may be absent
    ...rows.where({ ...(found.length > 0 && { id: 1 }) }),
  ];
  expect(refused).toThrow("no such column");
});

test("SQLite finds the rows of every table by each column that `where` takes", () => {
  const tables = projections.flatMap((projection) => Object.values(projection.tables));
  const plans = tables.flatMap((table: Table) => {
    const database = givenDatabase(table);
    return [table.key, ...Object.values({ ...table.lookups, ...table.indexes })].map(([first]) =>
      database
        .prepare<[], { detail: string }>(
          `EXPLAIN QUERY PLAN SELECT * FROM "${table.name}" WHERE "${first}" = 1`,
        )
        .all()
        .map(({ detail }) => detail)
        .join(),
    );
  });
  expect(plans.length).toBeGreaterThan(tables.length);
  expect(plans.filter((plan) => !plan.startsWith("SEARCH "))).toEqual([]);
});

function givenRows<T extends Table>(table: T): Rows<T> {
  return openRows(givenDatabase(table), table, table.name);
}

function givenDatabase(table: Table): Database.Database {
  const database = new Database(":memory:");
  onTestFinished(() => void database.close());
  for (const sql of [
    createTableSql(table, table.name),
    ...createLookupSql(table, table.name),
    ...createIndexSql(table, table.name),
  ])
    database.exec(sql);
  return database;
}
