import Database from "better-sqlite3";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { NewEvent } from "../../src/events/event.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { openBare } from "./bare.ts";

/** The rows that a log makes of some batches, as they are bound to a statement: values in the order of the columns. */
export async function readyRows(path: string, batches: Iterable<readonly NewEvent[]>): Promise<unknown[][]> {
  createLogFile(path);
  const log = openSqliteLog(path, systemEnvironment());
  for (const batch of batches) await log.append(batch);
  await log.close();
  const database = new Database(path, { readonly: true });
  // `raw` gives the values of a row as an array.
  const rows = database.prepare("SELECT * FROM events ORDER BY position").raw().all() as unknown[][];
  database.close();
  return rows;
}

/**
 * Inserts such rows into a table with the log's columns, all that are given in one transaction (BEGIN IMMEDIATE).
 *
 * @param schema makes the table `events`
 */
export function openReadyTable(
  path: string,
  schema: string,
): { insert(rows: readonly unknown[][]): void; close(): void } {
  const database = openBare(path);
  database.exec(schema);
  const statement = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const insertAll = database.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) statement.run(...row);
  });
  return { insert: (rows) => insertAll.immediate(rows), close: () => void database.close() };
}
