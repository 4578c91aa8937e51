import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { newerVersion, ReadModelError } from "./read-model-error.ts";
import { READ_MODEL_FORMAT } from "./schema.ts";
import { quote } from "./table.ts";

/** Opens the file; one that is no database any more is made anew, since the log gives back what it held. */
export function openDatabase(path: string): Database.Database {
  try {
    return prepareDatabase(path);
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(cause.code)) {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
      return prepareDatabase(path);
    }
    throw new ReadModelError("unusable", `The read model ${path} cannot be opened: ${cause.message}.`, {
      cause,
    });
  }
}

/** A file of another format is emptied: whatever it held, the log gives it back. @throws ReadModelError */
export function dropOlderFormat(database: Database.Database): void {
  const format = Number(database.pragma("user_version", { simple: true }));
  if (format === READ_MODEL_FORMAT) return;
  if (format > READ_MODEL_FORMAT) throw newerVersion("the read model's tables", format, READ_MODEL_FORMAT);
  const objects = database.prepare<[], { type: string; name: string }>(
    "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%' ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC",
  );
  for (const { type, name } of objects.all()) database.exec(`DROP ${type} IF EXISTS ${quote(name)}`);
  database.pragma(`user_version = ${READ_MODEL_FORMAT}`);
}

function prepareDatabase(path: string): Database.Database {
  const database = new Database(path, { timeout: 10_000 });
  database.pragma("journal_mode = WAL");
  // A cache needs no fsync of its own: what a power cut takes from it, the log gives back.
  database.pragma("synchronous = NORMAL");
  // Renaming a table leaves the views alone; they are made anew.
  database.pragma("legacy_alter_table = ON");
  return database;
}
