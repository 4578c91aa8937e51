import { projections } from "../../../projections/all.ts";
import {
  createIndexSql,
  createLookupSql,
  createTableSql,
  integer,
  quote,
  type Table,
} from "../../../projections/table.ts";
import { OPEN } from "./nodes.ts";
import { isWholeSql } from "./row-sums.ts";

/** The tables of all projections: those that have a history. */
export const tables: readonly Table[] = projections.flatMap((projection) => Object.values(projection.tables));

/** The tables that `diff` compares: the file has the keys of their rows that each event changed, with numbers for the tables. */
const compared = ["tasks", "sessions", "questions", "blockers", "gates", "learnings", "flags"];

/** The number of a table in `__changes`; undefined: its changes are not kept. */
export function numberOf(table: string): number | undefined {
  const index = compared.indexOf(table);
  return index < 0 ? undefined : index;
}

/** Where the rows stand that hold still, for reducers: under the table's own columns. */
export function openNameOf(table: Table): string {
  return `${table.name}__open`;
}

/** SQL that makes what keeps every version of each row of a table. */
export function versionTableSql(table: Table): string[] {
  const versions = versionsOf(table);
  return [
    createTableSql(versions, versions.name),
    ...createLookupSql(versions, versions.name),
    ...createIndexSql(versions, versions.name),
    `CREATE VIEW ${quote(openNameOf(table))} AS SELECT ${columnsOf(table)} FROM ${quote(table.name)} WHERE __node = ${OPEN}`,
  ];
}

/**
 * SQL that tells SQLite's planner what it cannot know: that a node has many versions, so that columns behind it are worth looking for. Without,
 * it goes through all versions of a moment although there is an index.
 */
export function plannerSql(): string[] {
  const rows = tables
    .map(versionsOf)
    .flatMap(({ name, key, lookups, indexes }) => [
      [name, name, statOf(key.length - 1, true)],
      ...Object.entries({ ...lookups, ...indexes }).map(([index, columns]) => [
        name,
        `${name}__${index}`,
        statOf(columns.length - 1, false),
      ]),
    ]);
  const values = rows.map((row) => `(${row.map((value) => `'${value}'`).join(", ")})`);
  return ["ANALYZE sqlite_schema", `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${values.join(", ")}`];
}

/** All rows, then how many of them have the same node, and the same first column behind it, and so on. */
function statOf(columns: number, isUnique: boolean): string {
  const same = Array.from({ length: columns }, (_, index) => SELECTIVITY[index] ?? 1);
  if (isUnique) same[columns - 1] = 1;
  return [1_000_000, 20_000, ...same].join(" ");
}

/** How many rows have the same first columns of an index behind the node. */
const SELECTIVITY = [10, 4, 2];

/**
 * SQL that is true of a version that holds at the moment of the connection.
 *
 * @param hasEnded whether any version of the table has ended; else all of them are at one node
 */
export function holdsNow(hasEnded: boolean): string {
  const nodes = hasEnded ? "IN (SELECT node FROM temp.nodes)" : `= ${OPEN}`;
  return `__node ${nodes} AND __from <= (SELECT position FROM temp.moment) AND __to > (SELECT position FROM temp.moment)`;
}

/** SQL that finds a version of a table that has ended, if there is one. */
export function endedSql(table: Table): string {
  return `SELECT 1 FROM history.${quote(table.name)} WHERE __node > ${OPEN} LIMIT 1`;
}

/**
 * SQL of a view, in a connection of its own, that has under the table's name the rows that held at the moment there.
 *
 * @param of.isChecked whether a row that is not what was written fails the query
 */
export function momentViewSql(
  table: Table,
  { hasEnded, isChecked }: { readonly hasEnded: boolean; readonly isChecked: boolean },
): string {
  return `CREATE TEMP VIEW ${quote(table.name)} AS SELECT ${columnsOf(table)} FROM history.${quote(table.name)}
    WHERE ${holdsNow(hasEnded)} ${isChecked ? `AND ${isWholeSql(table)}` : ""}`;
}

/** The columns of a table, as SQL lists them. */
export function columnsOf({ columns }: Table): string {
  return Object.keys(columns).map(quote).join(", ");
}

/**
 * A row for each version of a row: where it began to hold, where it no longer did, the node of that interval, and its sum. Versions of one row do
 * not overlap, so there is one of them at each node. Every index begins with the node, by which versions of one moment are found.
 */
function versionsOf(table: Table): Table {
  const behindNode = (indexes: Table["indexes"]) =>
    Object.fromEntries(
      Object.entries(indexes ?? {}).map(([name, columns]) => [name, ["__node", ...columns]]),
    );
  return {
    name: table.name,
    columns: { ...table.columns, __node: integer, __from: integer, __to: integer, __sum: integer },
    key: ["__node", ...table.key],
    lookups: behindNode(table.lookups),
    indexes: behindNode(table.indexes),
  };
}
