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

/** The tables of all projections, which all have a history. */
export const tables: readonly Table[] = projections.flatMap((projection) => Object.values(projection.tables));

/**
 * The tables that `diff` compares: for each event, the file lists the keys of their changed rows,
 * with a number for the table.
 */
const compared = ["tasks", "sessions", "questions", "blockers", "gates", "learnings", "flags"];

/** The number of a table in `__changes`; undefined: its changes are not listed. */
export function numberOf(table: string): number | undefined {
  const index = compared.indexOf(table);
  return index < 0 ? undefined : index;
}

/** The current rows, for reducers: under the table's own columns. */
export function openNameOf(table: Table): string {
  return `${table.name}__open`;
}

/** SQL that creates the version table of a table, with its indexes. */
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
 * SQL that gives SQLite's planner statistics that it cannot gather: a node has many versions, so
 * that later index columns are worth using. Without it, SQLite scans all versions of a node in
 * spite of an index.
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

/**
 * The number of rows, then how many share the same node, then also the same first column after it,
 * and so on.
 */
function statOf(columns: number, isUnique: boolean): string {
  const same = Array.from({ length: columns }, (_, index) => SELECTIVITY[index] ?? 1);
  if (isUnique) same[columns - 1] = 1;
  return [1_000_000, 20_000, ...same].join(" ");
}

/** How many rows share the same first columns of an index after the node. */
const SELECTIVITY = [10, 4, 2];

/**
 * SQL condition for versions valid at the connection's position.
 *
 * @param hasEnded whether any version of the table has ended; otherwise all are at one node
 */
export function holdsNow(hasEnded: boolean): string {
  const nodes = hasEnded ? "IN (SELECT node FROM temp.nodes)" : `= ${OPEN}`;
  return `__node ${nodes} AND __from <= (SELECT position FROM temp.moment) AND __to > (SELECT position FROM temp.moment)`;
}

/** SQL that finds an ended version of a table, if there is one. */
export function endedSql(table: Table): string {
  return `SELECT 1 FROM history.${quote(table.name)} WHERE __node > ${OPEN} LIMIT 1`;
}

/**
 * SQL of a connection's view that has the table's name and the rows valid at the connection's
 * position.
 *
 * @param of.isChecked whether a row whose checksum fails fails the query
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
 * One row for each version of a row: the start and end of its interval, that interval's node, and
 * its checksum. Versions of one row do not overlap, so each node has at most one. Every index
 * begins with the node, by which the versions of one position are found.
 */
function versionsOf(table: Table): Table {
  const behindNode = (indexes: Table["indexes"] = {}) =>
    Object.fromEntries(
      Object.entries(indexes).map(([name, columns]) => [name, ["__node", ...columns] as const]),
    );
  return {
    name: table.name,
    columns: { ...table.columns, __node: integer, __from: integer, __to: integer, __sum: integer },
    key: ["__node", ...table.key],
    lookups: behindNode(table.lookups),
    indexes: behindNode(table.indexes),
  };
}
