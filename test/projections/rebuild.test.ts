import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { closeStore, openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp, rebuildAll } from "../../src/read-model/worker.ts";
import { useChild } from "../children.ts";
import { codeOf, comment, comments } from "../events/given.ts";
import {
  expectAsFresh,
  givenFreshReadModel,
  givenProject,
  history,
  learned,
  shownState,
  tally,
  tallyOf,
} from "./given.ts";

/* Catches: a rebuild that empties tables while it works, that leaves its own behind, or that gives other rows than life did. */

const SECRET = "sk-live-7f3a9c0d";
const startRebuild = useChild("test/events/children/rebuild-and-hang.ts");

async function givenFilled() {
  const project = givenProject();
  const log = project.openLog();
  // Its file is made by the program itself, else another process would make it anew.
  await closeStore(await openStore(project.readModelPath, systemEnvironment()));
  await log.append([...history(), ...comments(5), learned("Searching is fast.", { scope: "project" })]);
  const readModel = project.openReadModel();
  await catchUp(readModel, log);
  return { ...project, log, readModel };
}

/** The same log, which does something before each call of one function. */
function besideEach(name: keyof EventLog, log: EventLog, before: () => Promise<void>): EventLog {
  return new Proxy(log, {
    get(target, wanted) {
      const value = Reflect.get(target, wanted);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        if (wanted === name) await before();
        return value.apply(target, given);
      };
    },
  });
}

test("a rebuild gives the tables of live reducing, and a second one changes nothing", async () => {
  const { log, readModel } = await givenFilled();
  const content = readModel.contentHash();
  const shown = readModel.checkpoints.list();
  for (let round = 0; round < 2; round++) {
    await rebuild(readModel, log);
    expect(readModel.contentHash()).toBe(content);
    expect(readModel.checkpoints.list()).toEqual(shown);
  }
});

test("a rebuilt database has the tables, indexes, triggers and views of one that was filled live", async () => {
  const { log, readModel } = await givenFilled();
  const before = schemaOf(readModel);
  expect(before.filter((name) => name.startsWith("view "))).toHaveLength(6);
  await rebuild(readModel, log);
  expect(schemaOf(readModel)).toEqual(before);
});

test("a rebuild removes the tables that an earlier version of a projection had", async () => {
  const { log, readModel } = await givenFilled();
  const before = schemaOf(readModel);
  readModel.database.exec("CREATE TABLE learning_probes (word TEXT)");
  await rebuild(readModel, log);
  expect(schemaOf(readModel)).toEqual(before);
});

test("during a rebuild everyone can read the complete old tables", async () => {
  const { log, readModel, readModelPath } = await givenFilled();
  const reader = new Database(readModelPath, { readonly: true });
  onTestFinished(() => void reader.close());
  const read = () => [
    reader.prepare("SELECT count(*) FROM comments").pluck().get(),
    reader.prepare("SELECT count(*) FROM task_signals").pluck().get(),
    reader.prepare("SELECT count(*) FROM learnings_search WHERE learnings_search MATCH 'fast'").pluck().get(),
    reader.prepare("SELECT max(position) FROM projections").pluck().get(),
  ];
  const before = read();
  expect(before).toEqual([6, 5, 1, 17]);
  const progress: number[] = [];
  await rebuild(readModel, log, readModel.projections, (position, head) => {
    expect(read()).toEqual(before);
    expect(position).toBeLessThanOrEqual(head);
    progress.push(position);
  });
  expect(progress).toEqual([17]);
  expect(read()).toEqual(before);
});

test("a rebuild includes events appended meanwhile, and live reducing continues", async () => {
  const { log, readModel, openReadModel } = await givenFilled();
  const live = openReadModel();
  let isAppended = false;
  const appending = besideEach("read", log, async () => {
    if (isAppended) return;
    isAppended = true;
    await log.append([comment("while it ran")]);
    await catchUp(live, log);
  });
  await rebuild(readModel, appending);
  expect(isAppended).toBe(true);
  await catchUp(readModel, log);
  const fresh = givenFreshReadModel();
  await catchUp(fresh, log);
  expect(readModel.contentHash()).toBe(fresh.contentHash());
  expect(live.contentHash()).toBe(fresh.contentHash());
});

test("the search finds learnings before, after and later than a rebuild", async () => {
  const { log, readModel } = await givenFilled();
  const search = (words: string) =>
    readModel.database
      .prepare("SELECT rowid FROM learnings_search WHERE learnings_search MATCH ?")
      .pluck()
      .all(words);
  expect([search("chunks"), search("fast"), search("absent")]).toEqual([[7], [17], []]);
  await rebuild(readModel, log);
  expect([search("chunks"), search("fast"), search("absent")]).toEqual([[7], [17], []]);
  await log.append([learned("An absent header stops the import.", { rationale: "Chunks need it." })]);
  await catchUp(readModel, log);
  expect([search("chunks"), search("absent"), search("rationale:chunks")]).toEqual([[7, 18], [18], [18]]);
  readModel.database.exec("INSERT INTO learnings_search (learnings_search) VALUES ('integrity-check')");
});

test("words that come after the index of words was made are found after the rebuild", async () => {
  const { log, readModel, openReadModel } = await givenFilled();
  const { database } = openReadModel();
  const made = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_search__r%'").pluck();
  let isAppended = false;
  await rebuild(
    readModel,
    besideEach("head", log, async () => {
      if (isAppended || made.get() === 0) return;
      isAppended = true;
      await log.append([learned("Late words are found.", { scope: "project" })]);
    }),
  );
  expect(isAppended).toBe(true);
  await catchUp(readModel, log);
  const found = readModel.database
    .prepare("SELECT rowid FROM learnings_search WHERE learnings_search MATCH 'late'")
    .pluck();
  expect(found.all()).toEqual([18]);
  readModel.database.exec("INSERT INTO learnings_search (learnings_search) VALUES ('integrity-check')");
  expect(leftovers(readModel)).toEqual([]);
});

test("a rebuild continues while another connection's writes block its progress row", async () => {
  const { log, readModel, openReadModel } = await givenFilled();
  const content = readModel.contentHash();
  const writer = openReadModel().database;
  const held = besideEach("read", log, async () => {
    if (!writer.inTransaction) writer.exec("BEGIN IMMEDIATE");
  });
  await rebuild(readModel, held, readModel.projections, () => {
    if (writer.inTransaction) writer.exec("COMMIT");
  });
  expect(readModel.contentHash()).toBe(content);
});

test("two concurrent rebuilds of one read model restore the connection's settings", async () => {
  const { log, readModel } = await givenFilled();
  const content = readModel.contentHash();
  const settings = () =>
    ["ignore_check_constraints", "busy_timeout", "cache_size", "wal_autocheckpoint"].map((name) =>
      readModel.database.pragma(name, { simple: true }),
    );
  const before = settings();
  await Promise.all([rebuild(readModel, log), rebuild(readModel, log)]);
  expect(settings()).toEqual(before);
  expect(readModel.contentHash()).toBe(content);
});

test("catchUp waits for a running rebuild, and does not rebuild again", async () => {
  const { log, openReadModel } = await givenFilled();
  const stale = openReadModel();
  stale.database.exec("UPDATE projections SET version = version - 1");
  const further: number[] = [];
  stale.rebuilding.subscribe(({ position }) => further.push(position));
  const positions: number[] = [];
  await Promise.all([rebuildAll(stale, log, (position) => positions.push(position)), catchUp(stale, log)]);
  expect({ further, isRebuilt: positions.includes(await log.head()) }).toEqual({
    further: [],
    isRebuilt: true,
  });
});

test("two read models that rebuild one file concurrently both end with the right content", async () => {
  const { log, readModel, openReadModel } = await givenFilled();
  const content = readModel.contentHash();
  const other = openReadModel();
  await Promise.all([rebuild(readModel, log), rebuild(other, log), rebuild(other, log)]);
  expect([readModel.contentHash(), other.contentHash()]).toEqual([content, content]);
  expect(leftovers(readModel)).toEqual([]);
});

test("tables of a killed rebuild are removed by the next one", async () => {
  const { log, readModel, readModelPath } = await givenFilled();
  const content = readModel.contentHash();
  const child = startRebuild(readModelPath);
  expect(await child.says()).toBe("in the midst");
  expect(leftovers(readModel).length).toBeGreaterThan(5);
  await child.kill();
  expect(leftovers(readModel).length).toBeGreaterThan(5);
  expect(readModel.contentHash()).toBe(content);
  await rebuild(readModel, log);
  expect(leftovers(readModel)).toEqual([]);
  expect(readModel.contentHash()).toBe(content);
});

test("tables of a killed rebuild are removed at the next opening", async () => {
  const { readModel, readModelPath, openReadModel } = await givenFilled();
  const content = readModel.contentHash();
  const child = startRebuild(readModelPath);
  expect(await child.says()).toBe("in the midst");
  await child.kill();
  expect(leftovers(readModel).length).toBeGreaterThan(5);
  const next = openReadModel();
  expect(leftovers(next)).toEqual([]);
  expect(next.contentHash()).toBe(content);
});

test("tables of a rebuild that is still running are left to it", async () => {
  const { log, readModel, readModelPath, openReadModel } = await givenFilled();
  const child = startRebuild(readModelPath);
  expect(await child.says()).toBe("in the midst");
  const running = leftovers(readModel);
  openReadModel();
  expect(leftovers(readModel)).toEqual(running);
  await rebuild(readModel, log);
  expect(leftovers(readModel)).toEqual(running);
  await child.kill();
});

test("tables that a dead process with the number of this one left are removed", async () => {
  const { log, readModel } = await givenFilled();
  // In a container every run of a program may have the same number.
  readModel.database.exec("CREATE TABLE tasks__r901 (id INTEGER)");
  readModel.database.prepare("INSERT INTO rebuilds (run, pid) VALUES (901, ?)").run(process.pid);
  await rebuild(readModel, log);
  expect(leftovers(readModel)).toEqual([]);
});

test("a rebuild that fails leaves the old tables and removes its own", async () => {
  const { log, readModel } = await givenFilled();
  const content = readModel.contentHash();
  const failing = rebuild(readModel, log, readModel.projections, () => void log.close());
  expect(await codeOf(failing)).toBe("closed");
  expect(readModel.contentHash()).toBe(content);
  expect(leftovers(readModel)).toEqual([]);
});

test("a text redacted during a rebuild is in no table and nowhere in the file afterwards", async () => {
  const { openLog, openReadModel, readModelPath } = givenProject();
  const log = openLog();
  await log.append([...history(), comment(SECRET)]);
  for (let thousands = 0; thousands < 7; thousands++) await log.append(comments(1_000));
  const redaction = await redactionOf(log, history().length + 1);
  const readModel = openReadModel();
  const positions: number[] = [];
  let removal: Promise<unknown> = Promise.resolve();
  await rebuild(readModel, log, readModel.projections, (position) => {
    positions.push(position);
    // The secret is reduced, and in the file; the redaction comes behind what is still to be read.
    if (positions.length === 6) removal = log.append([redaction]);
  });
  await removal;
  // It was noticed, and all was reduced again.
  expect(positions.filter((position) => position === 1_000)).toHaveLength(2);
  await catchUp(readModel, log);
  await expectAsFresh(readModel, log);
  expect(leftovers(readModel)).toEqual([]);
  for (const end of ["", "-wal"]) {
    expect(readFileSync(`${readModelPath}${end}`).includes(SECRET), end).toBe(false);
  }
});

test("several calls of one process that find a redaction make one rebuild", async () => {
  const { log, readModel } = await givenFilled();
  await log.append([await redactionOf(log, history().length + 1)]);
  await Promise.all([1, 2, 3].map(() => catchUp(readModel, log)));
  expect(readModel.position()).toBe(await log.head());
  const runs = "SELECT seq FROM sqlite_sequence WHERE name = 'rebuilds'";
  expect(readModel.database.prepare(runs).pluck().get()).toBe(1);
});

test("a rebuild of some projections leaves the others as they are", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  await log.append(comments(3));
  const other = { ...tallyOf(1), name: "other", tables: {}, on: {} };
  const readModel = openReadModel([tally, other]);
  await catchUp(readModel, log);
  await log.append(comments(2));
  await rebuild(readModel, log, [tally]);
  expect(shownState(readModel, "tally")?.position).toBe(5);
  expect(shownState(readModel, "other")?.position).toBe(3);
  await catchUp(readModel, log);
  expect(readModel.rowsOf(tally.tables).tally?.get(7)).toEqual({ task_id: 7, comments: 5 });
});

/** Tables of rebuilds that are not swapped in, and the rows that announce them. */
function leftovers({ database }: ReadModel): unknown[] {
  return [
    ...database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*__r[0-9]*'")
      .pluck()
      .all(),
    ...database.prepare("SELECT run FROM rebuilds").pluck().all(),
  ];
}

/** What there is in the database, without the numbers of runs in the names of indexes. */
function schemaOf({ database }: ReadModel): string[] {
  return database
    .prepare<[], string>("SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
    .map((name) => name.replace(/__r\d+/, ""))
    .sort();
}

test("an aborted rebuild leaves the old tables and none of its own", async () => {
  const { log, readModel } = await givenFilled();
  const content = readModel.contentHash();
  const ending = new AbortController();
  const end = () => ending.abort(new Error("enough"));
  const rebuilding = rebuild(readModel, log, readModel.projections, end, ending.signal);
  await expect(rebuilding).rejects.toThrow("enough");
  expect(leftovers(readModel)).toEqual([]);
  await expect(rebuild(readModel, log, undefined, () => {}, ending.signal)).rejects.toThrow("enough");
  expect([leftovers(readModel), readModel.contentHash()]).toEqual([[], content]);
});
