import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { LOG_SCHEMA } from "../../src/events/sqlite-schema.ts";
import { history, take } from "./history.ts";
import { newLog } from "./new-log.ts";

/** Each history is made once for a version of the generator and of the log's tables; ignored by git. */
const CACHE = resolve("bench", ".cache");

/** Makes `path` a log of so many events, or a copy of one that an earlier run has made. */
export async function copyHistory(path: string, count: number, tasks: "growing" | number): Promise<void> {
  await copyCached(path, `${count}.db`, tasks, (unfinished) => writeHistory(unfinished, count, tasks));
}

/**
 * Makes `path` the read model of such a log, or a copy of one that an earlier run has made; whoever opens it rebuilds it
 * if a projection has another version by now.
 *
 * @param reduce brings `path` to the end of the log, and closes it
 */
export async function copyReadModel(
  path: string,
  count: number,
  tasks: number,
  reduce: () => Promise<void>,
): Promise<void> {
  await copyCached(path, `${count}-read-model.db`, tasks, async (unfinished) => {
    await reduce();
    foldWal(path).close();
    copyFileSync(path, unfinished);
  });
}

async function copyCached(
  path: string,
  name: string,
  tasks: "growing" | number,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  const folder = join(CACHE, versionOf(tasks));
  const cached = join(folder, name);
  if (!existsSync(cached)) {
    removeOtherVersions(tasks);
    mkdirSync(folder, { recursive: true });
    // Renamed when it is whole: a run that was stopped leaves nothing that looks like a history.
    const unfinished = join(folder, `${name}-${process.pid}.unfinished`);
    await write(unfinished);
    renameSync(unfinished, cached);
  }
  copyFileSync(cached, path);
  // Else the copy goes to the disk with the first fsync that is measured.
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

async function writeHistory(path: string, count: number, tasks: "growing" | number): Promise<void> {
  rmSync(path, { force: true });
  const system = systemEnvironment();
  const step_us = DAYS_US / count;
  let time_us = system.now() - DAYS_US;
  const log = newLog(path, { ...system, now: () => time_us });
  const events = history(tasks);
  for (let left = count; left > 0; left -= BATCH) {
    const batch = take(events, Math.min(left, BATCH));
    time_us += batch.length * step_us;
    await log.append(batch);
  }
  await log.close();
  const database = foldWal(path);
  const head = database.prepare("SELECT max(position) FROM events").pluck().get();
  database.close();
  if (head !== count) throw new Error(`The history at ${path} has ${head} events, not ${count}.`);
}

/** So long a project has lived, whatever its events; in microseconds. */
const DAYS_US = 90 * 86_400_000_000;
/** Events of one batch have one time, but for a microsecond each. */
const BATCH = 20;

/** A connection that closes last may leave the WAL behind; a copy needs all in one file. */
function foldWal(path: string): Database.Database {
  const database = new Database(path);
  database.pragma("wal_checkpoint(TRUNCATE)");
  return database;
}

/** Changes whenever the generator makes something else, or the log keeps it otherwise. */
function versionOf(tasks: "growing" | number): string {
  const sample = JSON.stringify(take(history(tasks), 2_000));
  const version = createHash("sha256")
    .update(`${sample} ${DAYS_US} ${BATCH}`)
    .update(LOG_SCHEMA)
    .digest("hex")
    .slice(0, 12);
  return `${tasks}-${version}`;
}

function removeOtherVersions(tasks: "growing" | number): void {
  const names = existsSync(CACHE) ? readdirSync(CACHE) : [];
  for (const name of names) {
    if (name.startsWith(`${tasks}-`) && name !== versionOf(tasks))
      rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
