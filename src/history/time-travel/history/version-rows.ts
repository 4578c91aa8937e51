import type Database from "better-sqlite3";
import { openRows, type Rows } from "../../../projections/rows.ts";
import { quote, type Table } from "../../../projections/table.ts";
import { FOR_EVER, OPEN } from "./nodes.ts";
import { isWholeSql, sumSql } from "./row-sums.ts";
import { columnsOf, numberOf, openNameOf } from "./version-tables.ts";

type Bindable = string | number | null;

/** A version that begins with the current event. */
const FROM_NOW = { from: "?", to: String(FOR_EVER) };

/**
 * Rows for reducers that preserve old values: the state of a row at the end of each event is kept
 * as a version. Needs the SQL functions `node_of` (`nodeOf`), `row_sum` and `row_is_whole`.
 *
 * @param now the position of the current event
 */
export function openVersionRows(database: Database.Database, table: Table, now: () => number): Rows {
  const columns = Object.keys(table.columns);
  const name = quote(table.name);
  const isOpen = `__node = ${OPEN} AND ${table.key.map((column) => `${quote(column)} = ?`).join(" AND ")}`;
  const statements = new Map<string, Database.Statement<Bindable[]>>();

  function statement(known: string, sql: () => string): Database.Statement<Bindable[]> {
    let prepared = statements.get(known);
    if (!prepared) {
      prepared = database.prepare<Bindable[]>(sql());
      statements.set(known, prepared);
    }
    return prepared;
  }

  /** Saves a version that ends now, unless it began now: then no event ended with it. */
  const keepSql = (unless = "") => `INSERT INTO ${name} (__node, __from, __to, __sum, ${columnsOf(table)})
    SELECT node_of(__from, ? - 1), __from, ?, ${sumSql(table, { from: "__from", to: "?" })}, ${columnsOf(table)} FROM ${name} WHERE ${isOpen} AND __from < ?${unless}
      AND ${isWholeSql(table)}`;

  /** A comparison of states then reads only these rows. */
  const addChange = (key: Bindable = null) => {
    if (number === undefined) return;
    statement("change", () => "INSERT OR IGNORE INTO __changes VALUES (?, ?, ?)").run(number, now(), key);
  };

  const number = numberOf(table.name);
  const [firstKey = ""] = table.key;
  const { get, where, first, scan } = openRows(database, table, openNameOf(table));
  return {
    get,
    where,
    first,
    scan,
    insert(row) {
      const values = row as Partial<Record<string, Bindable>>;
      const sql = () => `INSERT INTO ${name} (__node, __from, __to, __sum, ${columnsOf(table)})
        VALUES (${OPEN}, ?, ${FOR_EVER}, ${sumSql(table, FROM_NOW, () => "?")}, ${columns.map(() => "?").join(", ")})`;
      const whole = columns.map((column) => values[column] ?? null);
      statement("insert", sql).run(now(), now(), ...whole, ...whole);
      addChange(values[firstKey]);
    },
    update(key, change) {
      const values = change as Partial<Record<string, Bindable>>;
      const changed = Object.keys(values).filter((column) => values[column] !== undefined);
      if (changed.length === 0) return;
      const keys = Array.isArray(key) ? key : [key];
      const next = changed.map((column) => values[column] ?? null);
      const differs = ` AND (${changed.map((column) => `${quote(column)} IS NOT ?`).join(" OR ")})`;
      const sets = () => changed.map((column) => `${quote(column)} = ?`).join(", ");
      const position = now();
      statement(`keep ${changed.join()}`, () => keepSql(differs)).run(
        ...[position, position, position, ...keys, position, ...next],
      );
      const sum = () => sumSql(table, FROM_NOW, (column) => (changed.includes(column) ? "?" : quote(column)));
      const sql = () =>
        `UPDATE ${name} SET __from = ?, __sum = ${sum()}, ${sets()} WHERE ${isOpen}${differs}`;
      // A checksum covers them in the order of the table's columns.
      const summed = columns
        .filter((column) => changed.includes(column))
        .map((column) => values[column] ?? null);
      const { changes } = statement(`update ${changed.join()}`, sql).run(
        ...[position, position, ...summed, ...next, ...keys, ...next],
      );
      if (changes > 0) addChange(keys[0]);
    },
    delete(...key) {
      const position = now();
      statement("keep", () => keepSql()).run(position, position, position, ...key, position);
      statement("delete", () => `DELETE FROM ${name} WHERE ${isOpen}`).run(...key);
      addChange(key[0]);
    },
  };
}
