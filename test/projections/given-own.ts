import { z } from "zod";
import { defineEvent, defineProjection, defineTable, integer } from "../../src/api/projections.ts";

export const orderPlaced = defineEvent({
  type: "shop.order.placed",
  version: 1,
  description: "A customer placed an order.",
  payload: z.strictObject({ amount: z.int() }),
  stream: () => "shop-orders",
  timeline: ({ amount }) => `Order of ${amount}`,
  example: { amount: 1 },
});

export const orders = defineTable("shop_orders", {
  columns: { id: integer, amount: integer },
  key: ["id"],
});

/** Keeps every order; one that is fragile throws at an order of 2. */
export function ordersOf({ fragile }: { readonly fragile: boolean }) {
  return defineProjection({
    name: "shop_orders",
    version: 1,
    events: [orderPlaced],
    tables: { orders },
    on: {
      "shop.order.placed": ({ position, payload: { amount } }, rows) => {
        rows.orders.insert({ id: position, amount });
        if (fragile && amount === 2) throw new Error("boom");
      },
    },
  });
}

const counts = defineTable("shop_counts", { columns: { id: integer, orders: integer }, key: ["id"] });

/** Counts orders, and reads no payload. */
export const counted = defineProjection({
  name: "shop_counts",
  version: 1,
  events: [orderPlaced],
  tables: { counts },
  on: {
    "shop.order.placed": (_event, rows) => {
      const before = rows.counts.get(1);
      if (before) rows.counts.update(1, { orders: before.orders + 1 });
      else rows.counts.insert({ id: 1, orders: 1 });
    },
  },
});
