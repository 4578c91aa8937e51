import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type TaskStatus, taskStatuses } from "../../../src/events/types/fields.ts";
import { IS_READY } from "../../../src/projections/board/status-order.ts";
import { type CardFilter, cardsOf, countCards } from "../../../src/queries/cards.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { histories } from "../../properties/commands.ts";
import { reduceInto } from "../../properties/reducing.ts";
import { assertUntil, eventsOf } from "../../properties/runs.ts";

const ORDERS: Partial<Record<TaskStatus, string>> = {
  pending: `NOT (${IS_READY}), priority_rank, id`,
  done: "coalesce(completed_at, updated) DESC, id DESC",
  skipped: "coalesce(completed_at, updated) DESC, id DESC",
};

/** Every task of a status, sorted and numbered as a whole. */
function sorted(readModel: ReadModel, status: TaskStatus, { text = "", priority }: CardFilter) {
  return readModel.database
    .prepare(
      `SELECT t.id, r.turn FROM tasks t
       LEFT JOIN (SELECT id, row_number() OVER (ORDER BY priority_rank, id) AS turn FROM tasks WHERE ${IS_READY}) r ON r.id = t.id
       WHERE t.status = ? AND instr(t.title_folded, ?) > 0 AND t.priority = coalesce(?, t.priority)
       ORDER BY ${ORDERS[status]?.replaceAll(/\b(id|status)\b/g, "t.$1") ?? "t.id"}`,
    )
    .all(status, text, priority ?? null);
}

test("cards have the order of the whole status, each with its place in line, from any row on", async () => {
  let turns = 0;
  await assertUntil(
    fc.asyncProperty(
      histories,
      fc.record({ row: fc.nat(5), limit: fc.integer({ min: 1, max: 5 }) }),
      fc.constantFrom<CardFilter>({}, { text: "e" }, { priority: "high" }, { text: "zz" }),
      async (history, rows, filter) => {
        const readModel = new ReadModel(":memory:");
        reduceInto(readModel, await eventsOf(history));
        for (const status of taskStatuses) {
          const all = sorted(readModel, status, filter);
          const found = cardsOf(readModel, status, filter, rows).map(({ id, turn }) => ({ id, turn }));
          expect(found).toEqual(all.slice(rows.row, rows.row + rows.limit));
          turns += found.filter(({ turn }) => turn !== null && turn > 1).length;
          const count = countCards(readModel, filter).find((one) => one.status === status);
          expect(count?.tasks ?? 0).toBe(all.length);
        }
        readModel.close();
      },
    ),
    40,
    () => turns > 0,
  );
});

test("no board query reads a task's whole row to count, filter or sort", () => {
  const readModel = new ReadModel(":memory:");
  const prepared = vi.spyOn(readModel.database, "prepare");
  for (const filter of [{}, { text: "e" }]) {
    countCards(readModel, filter);
    for (const status of taskStatuses) cardsOf(readModel, status, filter, { row: 0, limit: 30 });
  }
  const plans = [...new Set(prepared.mock.calls.map(([sql]) => sql))]
    .filter((sql) => !sql.includes("json_each"))
    .flatMap((sql) => {
      // Bound, not written into it: SQLite plans anew for constants.
      const given = Object.fromEntries([...sql.matchAll(/:([a-z_]+)/g)].map(([, name]) => [name, 1]));
      const plan = readModel.database.prepare<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      return plan.all(given);
    });
  readModel.close();
  const steps = plans.map(({ detail }) => detail).filter((detail) => detail.includes("tasks"));
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter((step) => !/COVERING INDEX|task_counts|by_end/.test(step))).toEqual([]);
});
