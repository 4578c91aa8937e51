import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openProject } from "../../src/api/project.ts";
import {
  defineEvent,
  defineProjection,
  defineTable,
  integer,
  payloadOf,
  type RowsOf,
  type StoredEvent,
} from "../../src/api/projections.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createTask } from "../../src/index.ts";
import { verifyLog } from "../support/audited-files.ts";
import { freshProject } from "../support/project.ts";
import { insertForeign } from "./foreign-records.ts";
import { codeOf } from "./given.ts";

/* Catches: an upcaster of an own event that stops who does not read the event, or gives a payload that nobody checked. */

type Upcaster = (payload: Record<string, unknown>) => Record<string, unknown>;

/** A sale of version 3 whose first version had no currency, and whose second one had no shop. */
function saleOf(type: `acme.${string}.sold`, upcasters: Readonly<Record<number, Upcaster>>) {
  return defineEvent({
    type,
    version: 3,
    description: "Something was sold.",
    payload: z.strictObject({ amount: z.int(), currency: z.string(), shop: z.string() }),
    stream: () => "acme-sales",
    timeline: ({ amount }) => `Sold for ${amount}`,
    example: { amount: 1, currency: "EUR", shop: "Ghent" },
    upcasters,
  });
}

type Sale = ReturnType<typeof saleOf>;
type SaleEvent = StoredEvent<Sale["type"], z.infer<Sale["payload"]>>;

const toEuro: Upcaster = (old) => ({ ...old, currency: "EUR" });
const toGhent: Upcaster = (old) => ({ ...old, shop: "Ghent" });

const right = saleOf("acme.right.sold", { 1: toEuro, 2: toGhent });
const throws = saleOf("acme.first.sold", {
  1: () => {
    throw new Error("no currency");
  },
  2: toGhent,
});
const wrong = saleOf("acme.wrong.sold", { 1: toEuro, 2: (old) => ({ ...old, shop: 7 }) });
const empty = saleOf("acme.empty.sold", { 1: toEuro, 2: () => undefined as never });

const sums = defineTable("acme_sums", { columns: { id: integer, amount: integer }, key: ["id"] });
const sales = defineTable("acme_sales", { columns: { id: integer }, key: ["id"] });

/** A projection that reads the sales, and one that only counts them. */
function projectionsOf(sale: Sale) {
  const common = { version: 1, events: [sale] };
  return [
    defineProjection({
      ...common,
      name: "acme_sums",
      tables: { sums },
      on: {
        [sale.type]: ({ position, payload }: SaleEvent, rows: RowsOf<{ sums: typeof sums }>) =>
          rows.sums.insert({ id: position, amount: payload.amount }),
      },
    }),
    defineProjection({
      ...common,
      name: "acme_sales",
      tables: { sales },
      on: {
        [sale.type]: ({ position }: SaleEvent, rows: RowsOf<{ sales: typeof sales }>) =>
          rows.sales.insert({ id: position }),
      },
    }),
  ];
}

/** A project whose third event is a sale of version 1. */
async function givenOldSale(sale: Sale) {
  const { folder, db } = await freshProject();
  const path = logPathBeside(db);
  insertForeign(path, { type: sale.type, schemaVersion: 1, stream: "acme-sales", payload: '{"amount":5}' });
  const project = await openProject(folder, { projections: projectionsOf(sale) });
  onTestFinished(() => project.close());
  return { project, path };
}

const FAULTS: readonly [string, Sale, RegExp][] = [
  ["throws", throws, /^The upcaster acme\.first\.sold 1 → 2 failed at position 3: no currency\.$/],
  [
    "returns a payload that the schema refuses",
    wrong,
    /^The upcaster acme\.wrong\.sold 2 → 3 failed at position 3: it returned a wrong payload: .*shop.+\.$/,
  ],
  [
    "returns nothing",
    empty,
    /^The upcaster acme\.empty\.sold 2 → 3 failed at position 3: it returned a wrong payload: .+\.$/,
  ],
];

test.each(FAULTS)(
  "an own upcaster that %s fails who reads the event, with its position and versions, and no one else",
  async (_what, sale, message) => {
    const { project, path } = await givenOldSale(sale);
    const [event] = await project.log.read(2, 1);
    if (!event) throw new Error("The sale is there.");
    expect(event).toMatchObject({ position: 3, type: sale.type, schemaVersion: 1 });
    expect(() => event.payload).toThrow(message);
    expect(() => payloadOf(sale, event)).toThrow(message);

    await project.decide(createTask({ title: "Export orders as CSV" }));
    expect(await project.queries.tasks()).toMatchObject([{ title: "Export orders as CSV" }]);
    expect(await project.queries.sql("SELECT id FROM acme_sales")).toEqual([{ id: 3 }]);
    await expect(project.queries.sql("SELECT id FROM acme_sums")).rejects.toMatchObject({
      code: "stopped",
      message: expect.stringMatching(new RegExp(`position 3: ${message.source.slice(1, -1)}`)),
    });
    expect(await verifyLog(path)).toMatchObject({ damage: undefined });
  },
);

test("right upcasters of an own event are applied in their order", async () => {
  const { project } = await givenOldSale(right);
  const [event] = await project.log.read(2, 1);
  expect(event && payloadOf(right, event)).toEqual({ amount: 5, currency: "EUR", shop: "Ghent" });
  expect(await project.queries.sql("SELECT amount FROM acme_sums")).toEqual([{ amount: 5 }]);
});

test("an event that no upcaster can read may change anything: a decision beside it starts over", async () => {
  const { project } = await givenOldSale(throws);
  const draft = {
    type: "comment.added",
    actor: "human",
    payload: { task: 1, author: "Ada", body: "Hello." },
  };
  expect(await codeOf(project.log.append([draft], { unless: { after: 2, tags: ["task-1"] } }))).toBe("moved");
  expect((await project.log.append([draft], { unless: { after: 3, tags: ["task-1"] } })).outcome).toBe(
    "appended",
  );
});
