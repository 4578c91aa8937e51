import { expect, onTestFinished, test } from "vitest";
import { openTestProject } from "../../adapters/testing/testing.ts";
import { createTask } from "../../src/index.ts";
import type { ReadView } from "../../src/read-model/read-view.ts";
import { counted, orderPlaced, orders, ordersOf } from "./given-own.ts";

/* Catches: an own reducer that stops more than its own tables, and tables that lack events and are read all the same. */

const STOPPED =
  'Projection "shop_orders" stopped at position 4: boom. Its tables lack this event and all later ones. ' +
  "Correct its code, run `signalbox rebuild`, and start its program again.";

async function givenStopped() {
  const project = await openTestProject({ projections: [ordersOf({ fragile: true }), counted] });
  onTestFinished(() => project.close());
  for (const amount of [1, 2, 3]) await project.record(orderPlaced, { amount });
  return project;
}

test("an own reducer that throws stops its own projection alone: other tables, decisions and records go on", async () => {
  const project = await givenStopped();
  const stopped = (await project.queries.projections()).filter(({ state }) => state === "stopped");
  expect(stopped).toMatchObject([{ name: "shop_orders", position: 3, error: "position 4: boom" }]);
  await project.decide(createTask({ title: "Export orders as CSV" }));
  expect(await project.queries.tasks()).toMatchObject([{ title: "Export orders as CSV" }]);
  expect(await project.ask((tables) => tables.rowsOf(counted.tables).counts.scan())).toEqual([
    { id: 1, orders: 3 },
  ]);
  expect(await project.queries.sql("SELECT orders FROM shop_counts")).toEqual([{ orders: 3 }]);
  expect(await project.queries.sql("SELECT orders AS shop_orders FROM shop_counts")).toEqual([
    { shop_orders: 3 },
  ]);
});

const SQL = "SELECT t.id FROM tasks AS t JOIN Shop_Orders AS o ON o.id = t.id";

const QUESTIONS: readonly [string, (tables: ReadView) => unknown][] = [
  ["its rows", (tables) => tables.rowsOf({ orders }).orders.scan()],
  ["all of a question", (tables) => tables.all({ sql: SQL }, {})],
  ["the first of a question", (tables) => tables.get({ sql: SQL }, {})],
  ["each of a question", (tables) => [...tables.each({ sql: SQL }, {})]],
];

test.each(QUESTIONS)(
  "reading %s of an own projection that stopped is refused with its position and error",
  async (_what, question) => {
    const project = await givenStopped();
    await expect(project.ask(question)).rejects.toMatchObject({ code: "stopped", message: STOPPED });
  },
);

test("SQL on a table of an own projection that stopped is refused, too", async () => {
  const project = await givenStopped();
  await expect(project.queries.sql(SQL)).rejects.toMatchObject({ code: "stopped", message: STOPPED });
});

test("while it runs, its tables are read", async () => {
  const project = await openTestProject({ projections: [ordersOf({ fragile: true })] });
  onTestFinished(() => project.close());
  await project.record(orderPlaced, { amount: 1 });
  expect(await project.ask((tables) => tables.rowsOf({ orders }).orders.scan())).toEqual([
    { id: 3, amount: 1 },
  ]);
  expect(await project.queries.sql("SELECT amount FROM shop_orders")).toEqual([{ amount: 1 }]);
});
