import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { OpenLog } from "../../adapters/testing/log-contract/opened-log.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Environment } from "../../src/lib/environment.ts";
import { environmentAt, NOON, temporaryFolder } from "./given.ts";
import { openedHandles } from "./opened-handles.ts";

/** A path in a folder of its own, which is removed after the test. */
export function givenPath(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return join(folder.path, "events.db");
}

/** An empty log file. */
export function givenLogFile(): string {
  const path = givenPath();
  createLogFile(path);
  return path;
}

/** An empty log file for one case of what all logs do. */
export const openFile: OpenLog = async (environment) => {
  const folder = temporaryFolder();
  const path = join(folder.path, "events.db");
  createLogFile(path);
  return openedHandles(() => openSqliteLog(path, environment()), folder.remove);
};

/** Opens a log that is closed after the test. */
export function openForTest(
  path: string,
  environment: Environment = environmentAt({ now: NOON }, "file"),
  busyLimit_ms?: number,
): EventLog {
  const log = openSqliteLog(path, environment, busyLimit_ms);
  onTestFinished(() => log.close());
  return log;
}

/** Opens a file as another program would; closed after the test. */
export function openElsewhere(path: string): Database.Database {
  const database = new Database(path);
  onTestFinished(() => void database.close());
  return database;
}

/** Changes a log below its triggers, which are as before afterwards. */
export function tamper(path: string, sql: string): void {
  tamperWith(path, (database) => database.exec(sql));
}

/** The same, with all in the one file, as an editor of databases leaves it. */
export function tamperWith<T>(path: string, work: (database: Database.Database) => T): T {
  const database = new Database(path);
  // Otherwise SQLite refuses to write to its own tables.
  database.unsafeMode();
  database.pragma("foreign_keys = OFF");
  const triggers = database
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid",
    )
    .all();
  try {
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    const result = work(database);
    for (const { sql } of triggers) database.exec(sql);
    database.pragma("wal_checkpoint(TRUNCATE)");
    return result;
  } finally {
    database.close();
  }
}

/** What is said of a damaged log, for a finding in brackets. */
export function damageMessage(path: string, finding: string): string {
  return (
    `${path} is not an event log or is damaged, or its disk cannot be read (${finding}). ` +
    "Nothing more is written to it. Restore it from a backup."
  );
}
