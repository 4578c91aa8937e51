import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { LogError } from "../lib/log-error.ts";
import { refuseForeignJournals } from "./sqlite-in-place.ts";
import { MOVED_FORMAT } from "./sqlite-schema.ts";

/** Where the log of an ended file goes on. */
export function movedTo(database: Database.Database): LogError {
  const to = placeIn(database);
  return new LogError(
    "moved_to",
    `The log ${database.name} was moved to ${to}; nothing is recorded here any more. Run \`signalbox fleet move\` again if it was ` +
      "interrupted, else `signalbox fleet join` with that address.",
  );
}

/**
 * Where the log of a file goes on; undefined while it is there, and of no file.
 *
 * @throws LogError `disk`: a journal beside it is not the log's; errors of SQLite
 */
export function movedFrom(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  refuseForeignJournals(path);
  // For writing, too: a program that is killed while it makes the log one file leaves a journal, which SQLite has to take away.
  const database = new Database(path, { fileMustExist: true });
  try {
    return database.pragma("user_version", { simple: true }) === MOVED_FORMAT ? placeIn(database) : undefined;
  } finally {
    database.close();
  }
}

function placeIn(database: Database.Database): string | undefined {
  return database.prepare<[], string>("SELECT location FROM moved").pluck().get();
}
