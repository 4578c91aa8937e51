import Database from "better-sqlite3";
import { asLogError, openForReading } from "./sqlite-file.ts";
import { type LogReader, prepareReader } from "./sqlite-records.ts";

/** @throws LogError `damaged`, `newer_schema`, `disk` */
export function openReader(path: string): LogReader {
  const database = openForReading(path);
  try {
    return prepareReader(database);
  } catch (cause) {
    database.close();
    throw asLogError(cause, path);
  }
}

/** Drops a handle whose close fails, like any other. */
export function closeQuietly(handle: { close(): void } | undefined): void {
  try {
    handle?.close();
  } catch {
    // It is dropped either way.
  }
}

/** Reads the whole file, which is slow: only called after damage. */
export function isWhole(path: string): boolean {
  try {
    const reader = openReader(path);
    try {
      return reader.isWhole();
    } finally {
      reader.close();
    }
  } catch {
    return false;
  }
}

/** Checkpoints the journal durably. @throws Error: other connections prevent it */
export function checkpoint(path: string, timeout_ms: number): void {
  const database = new Database(path, { timeout: timeout_ms });
  try {
    const [row] = database
      .prepare<[], { busy: number; log: number; checkpointed: number }>("PRAGMA wal_checkpoint(FULL)")
      .all();
    // SQLite reports an incomplete checkpoint in its result and throws nothing.
    if (row?.busy !== 0 || row.log !== row.checkpointed)
      throw new Error("The WAL could not be written back.");
  } finally {
    database.close();
  }
}
