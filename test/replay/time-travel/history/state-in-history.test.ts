import { closeSync, existsSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventLog } from "../../../../src/events/log.ts";
import {
  dropHistory,
  findMadeHistory,
  headOfHistory,
} from "../../../../src/history/time-travel/history/history-file.ts";
import { PastReadModel } from "../../../../src/history/time-travel/history/past-read-model.ts";
import {
  asHistoryError,
  stateInHistory,
} from "../../../../src/history/time-travel/history/state-in-history.ts";
import { tables } from "../../../../src/history/time-travel/history/version-tables.ts";
import { stateAt } from "../../../../src/history/time-travel/state-at.ts";
import { findTask, listTasks } from "../../../../src/queries/tasks.ts";
import type { ReadModel } from "../../../../src/read-model/read-model.ts";
import { histories } from "../../../properties/commands.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { eventsOf, runs } from "../../../properties/runs.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";
import { hashIn, historyOf, madeHistory, makeWhole } from "./given.ts";

const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 });

test("a state from the history equals the reduction of the prefix, even while the history grows", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fractions, async (given, at) => {
      const events = await eventsOf(given);
      const log = await logOf(events);
      const { path } = emptyPlace();
      const history = historyOf(log, path);
      const half = Math.floor(events.length / 2);
      while (history.head < half) await history.advance({ max_events: half - history.head });
      const before = await stateIn(path, log, Math.floor(half / 2));
      await makeWhole(history, 3);
      history.close();
      expect(before?.contentHash()).toBe(hashOf(events.slice(0, Math.floor(half / 2))));
      before?.close();
      for (const fraction of at) {
        const position = Math.round(fraction * events.length);
        const state = await stateIn(path, log, position);
        expect([state?.contentHash(), state?.position()]).toEqual([
          hashOf(events.slice(0, position)),
          position,
        ]);
        state?.close();
      }
    }),
    runs(6),
  );
});

test("a history that is not made so far is not used, and stays", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const { path } = emptyPlace();
  expect(await stateIn(path, log, await log.head())).toBeUndefined();
  const history = historyOf(log, path);
  await history.advance({ max_ms: 1_000, max_events: 5 });
  history.close();
  expect(await stateIn(path, log, await log.head())).toBeUndefined();
  const there = await stateIn(path, log, 3);
  expect(there?.position()).toBe(3);
  there?.close();
});

test("time travel uses the history first, and reduces if it is damaged or removed", async () => {
  const { events, log, path } = await madeHistory();
  const { warnings, ...place } = emptyPlace();
  const kept = { ...place.cache, readModelPath: path };
  const reduced = await stateAt(log, events.length);
  const found = await stateAt(log, events.length, kept);
  // The rows of a read model that was reduced lie in its own tables.
  const ownRows = ({ database }: ReadModel) =>
    database.prepare("SELECT count(*) FROM main.tasks").pluck().get();
  expect([ownRows(reduced), ownRows(found)]).toEqual([listTasks(reduced).length, 0]);
  expect(listTasks(found)).toEqual(listTasks(reduced));
  found.close();
  damage(path);
  const again = await stateAt(log, events.length, kept);
  expect(ownRows(again)).toBe(listTasks(reduced).length);
  expect(listTasks(again)).toEqual(listTasks(reduced));
  expect(warnings).toEqual([
    expect.stringMatching(/^The history of the read model was not used, and is removed: /),
  ]);
  dropHistory(path);
  expect(findTask(await stateAt(log, events.length, kept), 1)).toEqual(findTask(reduced, 1));
});

test("any row whose checksum fails gives no answer; the state is then reduced", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), async (nthTable, nthRow, nthColumn) => {
      const { path } = emptyPlace();
      const history = historyOf(log, path);
      await makeWhole(history);
      history.close();
      const changed = changeOne(fileOf(path), nthTable, nthRow, nthColumn);
      const state = await stateIn(path, log, changed.position);
      const read = () => {
        try {
          return state?.contentHash();
        } catch (error) {
          throw state && asHistoryError(error, state);
        }
      };
      expect(read, changed.what).toThrow(
        /^The history of the read model is damaged \(a row of \w+ fails its checksum\)/,
      );
      state?.close();
      expect(await stateIn(path, log, await log.head())).toBeUndefined();
      met.add(changed.what);
    }),
    runs(20),
  );
  // Or the same would have been changed again and again.
  expect(met.size).toBeGreaterThan(runs(20).numRuns / 10);
});

test("a condition on any column finds the rows that a reduction has, and takes none for damaged", async () => {
  const { events, log, path } = await madeHistory();
  const position = Math.floor(events.length * 0.8);
  const [reduced, found] = [await stateAt(log, position), await stateIn(path, log, position)];
  let conditions = 0;
  for (const { name, key, columns } of tables) {
    const order = key.map((column) => `"${column}"`).join();
    for (const column of Object.keys(columns)) {
      for (const value of reduced.database
        .prepare(`SELECT DISTINCT "${column}" FROM "${name}"`)
        .pluck()
        .all()) {
        const rows = (state: ReadModel | undefined) =>
          state?.database
            .prepare(`SELECT * FROM "${name}" WHERE "${column}" = ? ORDER BY ${order}`)
            .all(value);
        expect(rows(found), `${name}.${column} = ${value}`).toEqual(rows(reduced));
        conditions += 1;
      }
    }
  }
  expect(conditions).toBeGreaterThan(100);
  reduced.close();
  found?.close();
});

test.each([
  ["a head before its last event", "UPDATE __head SET position = position - 3"],
  ["a head beyond the log", "UPDATE __head SET position = position + 3"],
])("a history with %s is not used, and rebuilt", async (_what, change) => {
  const events = await someEvents();
  const log = await logOf(events);
  const { path } = emptyPlace();
  const history = historyOf(log, path);
  await makeWhole(history);
  const damage = () => {
    const database = new Database(fileOf(path));
    database.exec(change);
    database.close();
  };
  damage();
  await makeWhole(history);
  expect(history.head).toBe(events.length);
  expect(hashIn(history, events.length)).toBe(hashOf(events));
  damage();
  history.close();
  const warnings: string[] = [];
  expect(await stateInHistory(path, log, 5, (sentence) => warnings.push(sentence))).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining("its head fails its checksum")]);
  expect(findMadeHistory(path)).toBeUndefined();
});

test("a history is rebuilt instead of extended after a checksum failure", async () => {
  const events = await someEvents();
  const log = await logOf(events);
  const { path } = emptyPlace();
  const history = historyOf(log, path);
  while (history.head < 20) await history.advance({ max_events: 20 - history.head });
  const file = fileOf(path);
  const database = new Database(file);
  expect(database.prepare("UPDATE tasks SET title = 'Another'").run().changes).toBeGreaterThan(0);
  database.close();
  await makeWhole(history);
  expect(fileOf(path)).not.toBe(file);
  expect(hashIn(history, events.length)).toBe(hashOf(events));
  history.close();
});

test("a file that another process has just removed is not made by looking for it", async () => {
  const { path } = await madeHistory();
  const file = fileOf(path);
  dropHistory(path);
  mkdirSync(dirname(file));
  expect(headOfHistory(file)).toBe(0);
  expect(() => new PastReadModel(file)).toThrow(
    expect.objectContaining({ code: "SQLITE_CANTOPEN", message: "the file is gone" }),
  );
  expect(existsSync(file)).toBe(false);
});

/** Changes one value of a row that is in the file, or when it holds. @returns where it held, and what was changed */
function changeOne(path: string, nthTable: number, nthRow: number, nthColumn: number) {
  const database = new Database(path);
  database.pragma("ignore_check_constraints = ON");
  const full = tables.filter(
    ({ name }) => database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined,
  );
  const table = full[nthTable % full.length];
  if (!table) throw new Error("There is no row.");
  const { name, key } = table;
  const columns = Object.keys(table.columns).filter((column) => !key.includes(column));
  const column = columns[nthColumn % columns.length] ?? key[0];
  const count = Number(database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
  const row = database.prepare(`SELECT * FROM "${name}" LIMIT 1 OFFSET ?`).get(nthRow % count) as Row;
  const same = ["__node", ...key].map((one) => `"${one}" IS ?`).join(" AND ");
  const old = row[column ?? ""] ?? 0;
  const value = typeof old === "number" ? old + 1 : `${old}!`;
  const { changes } = database
    .prepare(`UPDATE "${name}" SET "${column}" = ? WHERE ${same}`)
    .run(value, ...["__node", ...key].map((one) => row[one]));
  database.close();
  expect(changes).toBe(1);
  return { position: Number(row.__from), what: `${name}.${column}` };
}

type Row = Readonly<Record<string, string | number | null>>;

async function stateIn(readModelPath: string, log: EventLog, position: number) {
  return stateInHistory(readModelPath, log, position, (sentence) => {
    throw new Error(sentence);
  });
}

/** Writes over the beginning of the file, and takes the rest away. */
function damage(readModelPath: string): void {
  const path = fileOf(readModelPath);
  expect(statSync(path).size).toBeGreaterThan(4_096);
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4_096, "x"), 0, 4_096, 0);
  closeSync(file);
}

function fileOf(readModelPath: string): string {
  const path = findMadeHistory(readModelPath);
  if (path === undefined) throw new Error("There is no history.");
  return path;
}
