import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { redactionOf } from "../../../../adapters/testing/log-contract/redaction-of.ts";
import { systemEnvironment } from "../../../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../../../src/events/log-location.ts";
import { copyLog, restoreLog } from "../../../../src/events/sqlite-backup.ts";
import { openSqliteLog } from "../../../../src/events/sqlite-log.ts";
import { exportHistory, importHistory } from "../../../../src/history/time-travel/history/carry.ts";
import { findMadeHistory } from "../../../../src/history/time-travel/history/history-file.ts";
import { PastReadModel } from "../../../../src/history/time-travel/history/past-read-model.ts";
import { stateAt } from "../../../../src/history/time-travel/state-at.ts";
import { comment } from "../../../events/given.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { freshFolder } from "../../../support/project.ts";
import { emptyPlace } from "../given.ts";
import { givenLogFile, historyOf, makeWhole } from "./given.ts";

/** A project's log with its whole history, exported to a file, and a restored copy of the log without a history. */
async function givenCarried() {
  const origin = await givenLogFile();
  const copy = await restoredFrom(origin.logPath);
  const history = historyOf(origin.log, origin.path);
  await makeWhole(history);
  const file = join(freshFolder(), "shop.history");
  expect(await exportHistory(origin.path, file)).toEqual({ position: origin.events.length });
  history.close();
  return { ...origin, file, copy };
}

async function restoredFrom(logPath: string) {
  const { cache, path: readModelPath } = emptyPlace();
  const backup = join(freshFolder(), "log.backup");
  await copyLog(logPath, backup);
  await restoreLog(backup, logPathBeside(readModelPath));
  const log = openSqliteLog(logPathBeside(readModelPath), systemEnvironment());
  onTestFinished(() => log.close());
  return { cache, readModelPath, log };
}

test("a history that is made beside one copy of a log answers beside another one", async () => {
  const { file, copy, events } = await givenCarried();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await importHistory(file, copy)).toEqual({ position: events.length });
  for (const position of [1, Math.floor(events.length / 2), events.length]) {
    const state = await stateAt(copy.log, position, copy.cache);
    expect(state).toBeInstanceOf(PastReadModel);
    expect(state.contentHash()).toBe(hashOf(events.slice(0, position)));
    state.close();
  }
  // It goes on from there.
  await copy.log.append([comment("one more")]);
  const history = historyOf(copy.log, copy.readModelPath);
  expect(history.head).toBe(events.length);
  await makeWhole(history);
  history.close();
  expect(readdirSync(dirname(findMadeHistory(copy.readModelPath) ?? ""))).toHaveLength(1);
});

test("a history is refused for another log, at the first event whose leaf hash differs", async () => {
  const { file } = await givenCarried();
  const other = await givenLogFile();
  await expect(importHistory(file, { ...other, readModelPath: other.path })).rejects.toThrow(
    `${file} was not imported: it belongs to another log: the leaf hash of event 1 differs.`,
  );
  expect(findMadeHistory(other.path)).toBeUndefined();
});

test("beside a log that ends before it a history is refused", async () => {
  const { log, path, logPath, events } = await givenLogFile();
  const copy = await restoredFrom(logPath);
  await log.append([comment("one more")]);
  const history = historyOf(log, path);
  await makeWhole(history);
  history.close();
  const file = join(freshFolder(), "shop.history");
  await exportHistory(path, file);
  await expect(importHistory(file, copy)).rejects.toThrow(
    `it is built up to event ${events.length + 1}, and the log here ends at ${events.length}. Bring the log here first.`,
  );
});

test("a history from before a redaction is refused where the log has that", async () => {
  const { file, copy } = await givenCarried();
  await copy.log.append([await redactionOf(copy.log, 3)]);
  await expect(importHistory(file, copy)).rejects.toThrow("an event was redacted since it was built");
});

test.each([
  [
    "has something that no history has",
    "CREATE TRIGGER t AFTER INSERT ON tasks BEGIN DELETE FROM tasks; END",
    /another version/,
  ],
  [
    "other reducers made",
    "UPDATE __projections SET version = version + 1",
    /another version of signalbox built it/,
  ],
  ["ends elsewhere than its events", "UPDATE __head SET position = position - 1", /it is damaged: its head/],
])("a history that %s is refused", async (_what, change, why) => {
  const { file, copy } = await givenCarried();
  const database = new Database(file);
  database.exec(change);
  database.close();
  await expect(importHistory(file, copy)).rejects.toThrow(why);
  expect(findMadeHistory(copy.readModelPath)).toBeUndefined();
});

test("a file that is no history, or was cut, is refused and says so", async () => {
  const { file, copy } = await givenCarried();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  await expect(importHistory(file, copy)).rejects.toThrow(`${file} was not imported: `);
  writeFileSync(file, "not a database, but a text of some length");
  await expect(importHistory(file, copy)).rejects.toThrow(`${file} was not imported: it cannot be read`);
  expect(findMadeHistory(copy.readModelPath)).toBeUndefined();
});

test("neither export nor import overwrites an existing file or an equally long history", async () => {
  const { file, path, log } = await givenCarried();
  await expect(exportHistory(path, file)).rejects.toThrow("already exists and was not overwritten");
  await expect(importHistory(file, { log, readModelPath: path })).rejects.toThrow(
    "the project's history is built up to event",
  );
  await expect(exportHistory(emptyPlace().path, `${file}2`)).rejects.toThrow(
    "There is no history to export.",
  );
});
