import type Database from "better-sqlite3";
import { type NewRow, quote, type Row, type Table } from "./table.ts";

/** What a reducer sees of one of its tables. `Found` are the columns by which it finds rows. */
export interface Rows<T extends Table = Table, Found extends string = LookupOf<T>> {
  get(...key: Key[]): Row<T> | undefined;
  insert(row: NewRow<T>): void;
  /** Changes the columns that are given, of the row with this key; nothing happens where there is none. */
  update(key: Key | readonly Key[], change: Change<T>): void;
  delete(...key: Key[]): void;
  /**
   * The rows that have these values, in the order of their keys; a list stands for any of its values. One of the columns is
   * the first of the key or of an index; `test` picks among the found.
   */
  where(match: MatchBy<Found, T>, test?: (row: Row<T>) => boolean): Row<T>[];
  /** The first of these rows, `limit` of them at most. */
  first(limit: number, match: MatchBy<Found, T>): Row<T>[];
  /** All rows, or those that pass the test, in the order of their keys. It looks at every row of the table. */
  scan(test?: (row: Row<T>) => boolean): Row<T>[];
}

/** The same for readers, who find rows also by the indexes that a rebuild makes last. */
export type IndexedRows<T extends Table> = Rows<T, LookupOf<T> | IndexOf<T>>;

type LookupOf<T extends Table> = T["key"][0];
type IndexOf<T extends Table> = NonNullable<T["indexes"]>[string][0];
export type Key = string | number;
type Match<T extends Table> = {
  readonly [Name in keyof Row<T>]?: NonNullable<Row<T>[Name]> | readonly NonNullable<Row<T>[Name]>[];
};
/** A match by at least one of the columns `Found`: a compile error begins with their names. */
type MatchBy<Found extends string, T extends Table> = {
  [Name in Found]: MatchWith<Name, T>;
}[Found];
type MatchWith<Name extends string, T extends Table> = Match<T> & { readonly [Found in Name]: unknown };
type Change<T extends Table> = { [Name in keyof Row<T>]?: Row<T>[Name] | undefined };
type Bindable = string | number | null;
/** A row as the statements take it: every column type of table.ts is bindable, which a generic row cannot show. */
type Values = Partial<Record<string, Bindable>>;

/**
 * Prepares access to a table that stands in the database under the name `as`.
 *
 * @param fromValues makes a row from its values in the order of the columns, where that is faster than better-sqlite3
 */
export function openRows<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  fromValues?: (values: readonly Bindable[]) => Row<T>,
): Rows<T> {
  const columns = Object.keys(table.columns);
  const names = columns.map(quote).join(", ");
  const matchesKey = table.key.map((column) => `${quote(column)} = ?`).join(" AND ");
  const order = table.key.map(quote).join(", ");
  // Known by a short word each, so that a call builds no SQL that has been prepared before.
  const statements = new Map<string, Database.Statement<Bindable[], Row<T>>>();

  function statement(known: string, sql: () => string): Database.Statement<Bindable[], Row<T>> {
    let prepared = statements.get(known);
    if (!prepared) {
      prepared = database.prepare<Bindable[], Row<T>>(sql());
      statements.set(known, prepared);
    }
    return prepared;
  }

  function read(known: string, sql: () => string, ...bound: Bindable[]): Row<T>[] {
    const prepared = statement(known, sql);
    if (!fromValues) return prepared.all(...bound);
    // `raw` makes arrays of what were rows, which its type does not tell.
    const rows = prepared.raw().all(...bound) as unknown as Bindable[][];
    return rows.map(fromValues);
  }

  function find(match: Match<T>, limit?: number): Row<T>[] {
    const values = Object.entries(match) as [string, Key | readonly Key[]][];
    const known = values.map(([name, value]) => (Array.isArray(value) ? `${name} in` : name)).join();
    const condition = () =>
      values
        .map(([name, value]) =>
          Array.isArray(value) ? `${quote(name)} IN (SELECT value FROM json_each(?))` : `${quote(name)} = ?`,
        )
        .join(" AND ") || "1";
    const bound = values.map(([, value]) => (typeof value === "object" ? JSON.stringify(value) : value));
    const sql = () => `SELECT ${names} FROM ${quote(as)} WHERE ${condition()} ORDER BY ${order}`;
    return limit === undefined
      ? read(`where ${known}`, sql, ...bound)
      : read(`first ${known}`, () => `${sql()} LIMIT ?`, ...bound, limit);
  }

  function select(match: Match<T>, test?: (row: Row<T>) => boolean): Row<T>[] {
    const rows = find(match);
    return test ? rows.filter(test) : rows;
  }

  return {
    get: (...key) => read("get", () => `SELECT ${names} FROM ${quote(as)} WHERE ${matchesKey}`, ...key)[0],
    insert(row) {
      const values = row as Values;
      statement(
        "insert",
        () => `INSERT INTO ${quote(as)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
      ).run(...columns.map((column) => values[column] ?? null));
    },
    update(key, change) {
      const values = change as Values;
      const changed = Object.keys(values).filter((column) => values[column] !== undefined);
      if (changed.length === 0) return;
      const sets = () => changed.map((column) => `${quote(column)} = ?`).join(", ");
      statement(
        `update ${changed.join()}`,
        () => `UPDATE ${quote(as)} SET ${sets()} WHERE ${matchesKey}`,
      ).run(...changed.map((column) => values[column] ?? null), ...(Array.isArray(key) ? key : [key]));
    },
    delete: (...key) =>
      void statement("delete", () => `DELETE FROM ${quote(as)} WHERE ${matchesKey}`).run(...key),
    where: select,
    first: (limit, match) => find(match, limit),
    scan: (test) => select({}, test),
  };
}
