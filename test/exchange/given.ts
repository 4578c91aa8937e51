import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Event } from "../../src/events/types/index.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { exportLog } from "../../src/outside/exchange/export-log.ts";
import { type Restored, restoreExport } from "../../src/outside/exchange/restore-log.ts";
import { PRESENT_US } from "../properties/executor.ts";
import { freshFolder } from "../support/project.ts";

/** The environment of the random histories, so that their events come out the same again. */
export const environment = replayEnvironment("seed", () => PRESENT_US);

/** A log file with these events, each as it was appended; without events, the path of none. */
export async function givenLog(events: readonly Event[] = []): Promise<string> {
  const path = join(freshFolder(), "events.db");
  if (events.length === 0) return path;
  createLogFile(path);
  const log = openSqliteLog(path, environment);
  await log.append(events.map(({ position: _, ...event }) => event));
  await log.close();
  return path;
}

export async function exported(path: string): Promise<string> {
  const log = openSqliteLog(path, environment);
  try {
    return await exportedFrom(log);
  } finally {
    await log.close();
  }
}

export async function exportedFrom(log: EventLog): Promise<string> {
  let text = "";
  for await (const part of (await exportLog(log)).text) text += part;
  return text;
}

/** Imports a text as if it came from a file, in chunks of a few bytes. */
export function restored(text: string, path: string, dryRun = false): Promise<Restored> {
  return restoreExport(chunksOf(text), { path }, environment, { dryRun });
}

export async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 997) yield bytes.subarray(start, start + 997);
}

export const fixture = (name: string) => packagePath(`fixtures/imports/${name}`);

/** A database that a fixture describes. */
export function givenDatabase(name: string): string {
  const path = join(freshFolder(), `${name}.db`);
  const database = new Database(path);
  database.exec(readFileSync(fixture(`${name}.sql`), "utf8"));
  database.close();
  return path;
}
