import { closeSync, fsyncSync, openSync } from "node:fs";
import Database from "better-sqlite3";

/** Makes a database one durable file: a journal beside it could be lost or mixed up. @throws errors of SQLite: it is in use */
export function makeOneFile(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
  sync(path);
}

/** Makes the content of a file durable; of a folder, its names. */
export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
