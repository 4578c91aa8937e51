import type Database from "better-sqlite3";
import { quote } from "../projections/table.ts";

/**
 * Announces a rebuild of this process, after removing the tables of dead ones. In a transaction.
 *
 * @returns its number, part of its tables' names: `tasks__r12`
 */
export function startRun(database: Database.Database): number {
  dropDeadRuns(database);
  const { lastInsertRowid } = database.prepare("INSERT INTO rebuilds (pid) VALUES (?)").run(process.pid);
  const run = Number(lastInsertRowid);
  own.add(keyOf(database, run));
  return run;
}

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly position: number;
  /** The expected end, as far as it is known. */
  readonly head: number;
}

/** A running rebuild of another process. */
export interface RunElsewhere extends RebuildProgress {
  readonly run: number;
  /** Increases with all progress: if it stays the same, the rebuild hangs or was stopped. */
  readonly signs: number;
}

/** Publishes a run's heartbeat and progress to other processes. In a transaction. */
export function showRun(database: Database.Database, run: number, { position, head }: RebuildProgress): void {
  database
    .prepare("UPDATE rebuilds SET position = ?, head = ?, signs = signs + 1 WHERE run = ?")
    .run(position, head, run);
}

/** The most advanced running rebuild of another process, if any. */
export function runElsewhere(database: Database.Database): RunElsewhere | undefined {
  return database
    .prepare<[], RunElsewhere & { pid: number }>(
      "SELECT run, pid, position, head, signs FROM rebuilds ORDER BY position DESC, run",
    )
    .all()
    .find(({ run, pid }) => pid !== process.pid && isRunning(database, run, pid));
}

/** Call when a run of this process ends, for any reason. */
export function endRun(database: Database.Database, run: number): void {
  own.delete(keyOf(database, run));
}

/** Removes the tables of rebuilds whose process was killed. In a transaction. */
export function dropDeadRuns(database: Database.Database): void {
  const runs = database.prepare<[], { run: number; pid: number }>("SELECT run, pid FROM rebuilds").all();
  for (const { run, pid } of runs) {
    if (!isRunning(database, run, pid)) dropRun(database, run);
  }
}

/** Removes a run's announcement and its tables that were not swapped in. In a transaction. */
export function dropRun(database: Database.Database, run: number): void {
  const tables = database
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ? ESCAPE '\\'",
    )
    .pluck()
    .all(`%\\_\\_r${run}`);
  for (const table of tables) database.exec(`DROP TABLE ${quote(table)}`);
  database.prepare("DELETE FROM rebuilds WHERE run = ?").run(run);
}

/** Rebuilds of this process, by file and run: a dead process may have had the same pid. */
const own = new Set<string>();

function keyOf({ name }: Database.Database, run: number): string {
  return `${name}#${run}`;
}

function isRunning(database: Database.Database, run: number, pid: number): boolean {
  if (pid === process.pid) return own.has(keyOf(database, run));
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is running, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
