import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { projections as all } from "../../src/projections/all.ts";
import { defineProjection, type Projection } from "../../src/projections/projection.ts";
import { defineTable, integer, text } from "../../src/projections/table.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comment, comments, environmentAt, NOON } from "../events/given.ts";
import {
  echo,
  expectAsFresh,
  givenProject,
  givenReduced,
  history,
  shownState,
  tally,
  tallyOf,
} from "./given.ts";

/* Several versions of the program on one read model. Catches: old rows under new rules, and rows that a program lost for another. */

const countOf = (path: string, table = "tally", column = "comments") => {
  const database = new Database(path, { readonly: true });
  const count = database.prepare(`SELECT ${column} FROM ${table}`).pluck().get();
  database.close();
  return count;
};

test("a new version of a projection triggers a rebuild of only that one", async () => {
  const { log, openReadModel, readModelPath } = await givenReduced(comments(5), [tally, echo]);
  const next = openReadModel([tallyOf(2, 10), echo]);
  expect(countOf(readModelPath), "the old rows stand until the new are there").toBe(5);
  await catchUp(next, log);
  expect(countOf(readModelPath)).toBe(50);
  expect(next.checkpoints.list().map(({ name, version, position }) => [name, version, position])).toEqual([
    ["echo", 1, 5],
    ["tally", 2, 5],
  ]);
  await log.append(comments(1));
  await catchUp(next, log);
  expect(countOf(readModelPath)).toBe(60);
});

test("a new version may have other tables and columns", async () => {
  const { log, openReadModel } = await givenReduced(comments(2), [tally]);
  const table = defineTable("tally", { columns: { id: integer, who: text }, key: ["id"], search: ["who"] });
  const next = defineProjection({
    name: "tally",
    version: 2,
    tables: { tally: table },
    on: {
      "comment.added": ({ position, payload }, rows) =>
        rows.tally.insert({ id: position, who: payload.author }),
    },
  });
  const readModel = openReadModel([next]);
  await catchUp(readModel, log);
  await log.append(comments(1));
  await catchUp(readModel, log);
  const found = readModel.database.prepare("SELECT rowid FROM tally_search WHERE tally_search MATCH 'human'");
  expect(found.pluck().all()).toEqual([1, 2, 3]);
});

test("a projection that took over another one's tables fills them, and leaves no checkpoint of it that lags", async () => {
  const { log, openReadModel } = await givenReduced(comments(2), [tally, echo]);
  const next = openReadModel([
    defineProjection({
      ...echo,
      version: 2,
      tables: { ...echo.tables, ...tally.tables },
      absorbed: ["tally"],
      on: {
        "comment.added": (event, rows) => {
          echo.on["comment.added"]?.(event, rows);
          tally.on["comment.added"]?.(event, rows);
        },
      },
    }),
  ]);
  await catchUp(next, log);
  expect(next.checkpoints.list()).toMatchObject([{ name: "echo", version: 2, position: 2 }]);
  expect(next.database.prepare("SELECT comments FROM tally").pluck().get()).toBe(2);
});

test("a projection that is new in the program is filled from the start of the log", async () => {
  const { log, openReadModel } = await givenReduced(comments(5), [tally]);
  const readModel = openReadModel([tally, echo]);
  await catchUp(readModel, log);
  await expectAsFresh(readModel, log, [tally, echo]);
});

test("an older program refuses with newer_version, when it opens and when it is at work already", async () => {
  const { log, readModel: old, openReadModel, readModelPath } = await givenReduced(comments(5), [tally]);
  await catchUp(openReadModel([tallyOf(2, 10)]), log);
  await log.append(comments(1));
  await expect(catchUp(old, log)).rejects.toMatchObject({ name: "ReadModelError", code: "newer_version" });
  expect(() => openReadModel([tally])).toThrow(expect.objectContaining({ code: "newer_version" }));
  expect(countOf(readModelPath)).toBe(50);
  await catchUp(openReadModel([tallyOf(2, 10)]), log);
  expect(countOf(readModelPath)).toBe(60);
});

test("an older program's rebuild that a newer program overtook leaves the newer tables", async () => {
  const { log, readModel: old, openReadModel, readModelPath } = await givenReduced(comments(5), [tally]);
  const newer = openReadModel([tallyOf(2, 10)]);
  let overtaking: Promise<unknown> | undefined;
  const head = async () => {
    overtaking ??= catchUp(newer, log);
    await overtaking;
    return log.head();
  };
  // What a rebuild does not use of the log stays that of an empty one.
  const overtaken = {
    ...openMemoryLog(environmentAt({ now: NOON }, "overtaken")),
    read: (after: number, limit: number) => log.read(after, limit),
    head,
  };
  await expect(rebuild(old, overtaken)).rejects.toMatchObject({ code: "newer_version" });
  expect(countOf(readModelPath)).toBe(50);
  expect(newer.database.prepare("SELECT * FROM rebuilds").all()).toEqual([]);
});

test("an older program that refuses has left the tables and views of the newer one alone", async () => {
  const { openLog, openReadModel, readModelPath } = givenProject();
  const log = openLog();
  await log.append(history());
  const newer = all.map((projection) => ({ ...projection, version: projection.version + 1 }));
  const readModel = openReadModel(newer);
  await catchUp(readModel, log);
  // The newer program has a view that this one does not know.
  readModel.database.exec("CREATE VIEW open_flags AS SELECT * FROM flags");
  expect(() => openReadModel(all)).toThrow(expect.objectContaining({ code: "newer_version" }));
  expect(countOf(readModelPath, "open_flags", "what")).toBe("Slow");
});

test("a program that does not know a projection leaves it behind, to be brought up by one that does", async () => {
  const { log, openReadModel } = await givenReduced(comments(2), [tally, echo]);
  await log.append([comment("seen by tally only")]);
  const withoutEcho = openReadModel([tally]);
  await catchUp(withoutEcho, log);
  expect(shownState(withoutEcho, "echo")).toMatchObject({ position: 2, lag: 1 });
  expect(withoutEcho.position()).toBe(3);
  const knowing = openReadModel([tally, echo]);
  await catchUp(knowing, log);
  await expectAsFresh(knowing, log, [tally, echo]);
});

const otherLogs: readonly [string, number][] = [
  ["of the same length", 5],
  ["that is shorter", 2],
  ["that is longer", 9],
  ["that is empty", 0],
];
test.each(otherLogs)("a read model of another log, %s, is rebuilt once", async (_what, length) => {
  const [here, elsewhere] = [givenProject(), givenProject()];
  const [log, other] = [here.openLog(), elsewhere.openLog()];
  await log.append(comments(5));
  await catchUp(here.openReadModel(), log);
  if (length > 0) await other.append([...history().slice(0, length - 1), comment("elsewhere")]);
  const readModel = here.openReadModel();
  await catchUp(readModel, other);
  await expectAsFresh(readModel, other);
  const runs = runsOf(readModel.database);
  await catchUp(readModel, other);
  await catchUp(here.openReadModel(), other);
  expect(runsOf(readModel.database)).toBe(runs);
});

test("a read model of another log is rebuilt once, even where an unknown projection stays of the old one", async () => {
  const [here, elsewhere] = [givenProject(), givenProject()];
  const [log, other] = [here.openLog(), elsewhere.openLog()];
  await log.append(comments(3));
  await other.append([comment("elsewhere")]);
  await catchUp(here.openReadModel([tally, echo]), log);
  const readModel = here.openReadModel([tally] satisfies Projection[]);
  await catchUp(readModel, other);
  const runs = runsOf(readModel.database);
  await catchUp(readModel, other);
  expect(runsOf(readModel.database)).toBe(runs);
});

/** How many rebuilds there were. */
function runsOf(database: Database.Database): unknown {
  return database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'rebuilds'").pluck().get();
}
