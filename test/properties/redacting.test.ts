import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../src/decisions/refusal.ts";
import { planRedaction, takeRedaction } from "../../src/decisions/rules/redact.ts";
import type { Store } from "../../src/decisions/store.ts";
import { board } from "../../src/projections/board/index.ts";
import { quote } from "../../src/projections/table.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { everythingIn } from "../events/given.ts";
import { type History, histories } from "./commands.ts";
import { execute, openMemoryStore } from "./executor.ts";
import { hashOf } from "./reducing.ts";
import { assertUntil } from "./runs.ts";

/*
 * Catches: a text that decides something (a blocker's, a title, a feature's name) and is removed with what it decided, a
 * redaction that touches another event, a read model that keeps what the log has not, or depends on when it was made.
 */
test("any redactions in any order keep the board's statuses, counters, ids and links", async () => {
  let redacted = 0;
  await assertUntil(
    fc.asyncProperty(
      histories,
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      async (history, picks) => {
        const store = await storeOf(history);
        await catchUp(store.readModel, store.log);
        const before = { rows: rowsOfBoard(store.readModel), events: await everythingIn(store.log) };
        const head = before.events.length;
        if (head === 0) return;
        for (const pick of picks) redacted += await redactSome(store, (pick % head) + 1);

        const events = await everythingIn(store.log);
        const leaves = events.slice(0, head).map(({ leafHash }) => leafHash);
        expect(leaves).toEqual(before.events.map(({ leafHash }) => leafHash));
        expectSameButTexts(withoutEventsAfter(head, rowsOfBoard(store.readModel)), before.rows);
        const hash = store.readModel.contentHash();
        await rebuild(store.readModel, store.log);
        expect(store.readModel.contentHash()).toBe(hash);
        expect(hashOf(events)).toBe(hash);
        store.readModel.close();
      },
    ),
    8,
    () => redacted > 3,
  );
});

async function storeOf(history: History): Promise<Store> {
  const store = openMemoryStore();
  await execute(store, history);
  return store;
}

/** @returns 1 if the event had texts that could go */
async function redactSome(store: Store, position: number): Promise<number> {
  try {
    await takeRedaction(store, await planRedaction(store, { position, reason: "a secret" }), {
      actor: "human",
    });
    return 1;
  } catch (error) {
    if (error instanceof Refusal && error.code !== "contention") return 0;
    throw error;
  }
}

type Rows = Readonly<Record<string, readonly Record<string, unknown>[]>>;

function rowsOfBoard({ database }: ReadModel): Rows {
  const tables = Object.values(board.tables).map(({ name, key }) => {
    const sql = `SELECT * FROM ${quote(name)} ORDER BY ${key.map(quote).join(", ")}`;
    return [name, database.prepare<[], Record<string, unknown>>(sql).all()] as const;
  });
  return Object.fromEntries(tables);
}

/** The redactions are events too: of what they redact where that is known by no stream. */
function withoutEventsAfter(head: number, rows: Rows): Rows {
  return {
    ...rows,
    subject_events: (rows.subject_events ?? []).filter(({ position }) => Number(position) <= head),
  };
}

function expectSameButTexts(after: Rows, before: Rows): void {
  const marked: Rows = Object.fromEntries(
    Object.entries(before).map(([name, rows]) => [
      name,
      rows.map((row, index) => {
        const now = after[name]?.[index] ?? {};
        const columns = Object.entries(row).map(([column, value]) => {
          const isGone = typeof value === "string" && String(now[column]).includes("[redacted");
          return [column, isGone ? now[column] : value];
        });
        return Object.fromEntries(columns);
      }),
    ]),
  );
  expect(after).toEqual(marked);
}
