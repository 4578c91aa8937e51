import Database from "better-sqlite3";
import { platform } from "../lib/platform/here.ts";

/** Makes a database one durable file: a journal beside it could be lost or mixed up. @throws errors of SQLite: it is in use */
export function makeOneFile(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
  platform().files.sync(path);
}
