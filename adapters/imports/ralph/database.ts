import Database from "better-sqlite3";
import { checkFile, ExchangeError, openToLook } from "../core.ts";

/** A row of a table as SQLite gives it. */
export type Columns = Readonly<Record<string, unknown>>;

/** A foreign database, opened for reading: tables only, since a view might run any function. */
export interface ForeignDatabase {
  has(table: string): boolean;
  /** Every row of a table, ordered by `rowid`; none if there is no such table. */
  rows(table: string): readonly Columns[];
  close(): void;
}

/**
 * Opens a database without changing it.
 *
 * @throws ExchangeError `not_found`, `refused_file`; `malformed`: not a database, or a damaged one
 */
export function openForeign(path: string): ForeignDatabase {
  checkFile(path);
  let database: Database.Database | undefined;
  try {
    database = openToLook(path);
    database.pragma("trusted_schema = OFF");
    const names = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    return foreign(database, new Set(names), path);
  } catch (cause) {
    database?.close();
    throw unreadable(cause, path);
  }
}

function foreign(database: Database.Database, tables: ReadonlySet<string>, path: string): ForeignDatabase {
  return {
    has: (table) => tables.has(table),
    rows(table) {
      if (!tables.has(table)) return [];
      try {
        const rows = database.prepare<[], Columns>(`SELECT * FROM "${table}" ORDER BY rowid`).safeIntegers();
        return rows.all().map(withExactNumbers);
      } catch (cause) {
        throw unreadable(cause, path);
      }
    },
    close: () => void database.close(),
  };
}

/** Integers beyond JavaScript's safe range become decimal text. */
function withExactNumbers(row: Columns): Columns {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value !== "bigint") return [name, value];
      return [name, Number.isSafeInteger(Number(value)) ? Number(value) : String(value)];
    }),
  );
}

function unreadable(cause: unknown, path: string): unknown {
  if (!(cause instanceof Database.SqliteError)) return cause;
  return new ExchangeError("malformed", `${path} is not a readable SQLite database: ${cause.message}.`, {
    cause,
  });
}
