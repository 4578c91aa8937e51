import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import { quote, type Table } from "../../../projections/table.ts";
import { damage } from "./damage.ts";

/*
 * Each row version has a checksum over its table, its interval and its values. It is checked on
 * every read that asks for it, so that an answer only contains rows as they were written. It does
 * not detect a version that is not found because its interval or an index is damaged.
 */

const OPTIONS = { varargs: true, deterministic: true };

/** Registers the SQL function `row_sum(table, from, to, columns…)`. */
export function addRowSum(database: Database.Database): void {
  database.function("row_sum", OPTIONS, (...said: unknown[]) => sumOf(said));
}

/**
 * Registers the SQL function `row_is_whole(sum, table, from, to, columns…)`, for `isWholeSql`. If a
 * checksum fails, the query fails with the error for a damaged file.
 */
export function addRowCheck(database: Database.Database): void {
  database.function("row_is_whole", OPTIONS, (sum: unknown, ...said: unknown[]) => {
    if (sum === sumOf(said)) return 1;
    throw damage(`a row of ${said[0]} fails its checksum`);
  });
}

/** 48 bits of SHA-256: JavaScript represents them exactly as a number. */
function sumOf(said: readonly unknown[]): number {
  return Number.parseInt(hash("sha256", JSON.stringify(said)).slice(0, 12), 16);
}

/**
 * SQL of the checksum of a row version with this interval; `given` replaces the SQL of some
 * columns.
 */
export function sumSql(
  { name, columns }: Table,
  span: { readonly from: string; readonly to: string },
  given: (column: string) => string = quote,
): string {
  const said = [`'${name}'`, span.from, span.to, ...Object.keys(columns).map(given)];
  return `row_sum(${said.join(", ")})`;
}

/**
 * SQL that is 1 if a version's checksum is correct, and fails otherwise. A subquery: without it, a
 * condition `state = 'open'` lets SQLite substitute `'open'` for `state` here, even in rows where
 * that is false; and a subquery runs after all other conditions.
 */
export function isWholeSql({ name, columns }: Table): string {
  return `(SELECT row_is_whole(__sum, '${name}', __from, __to, ${Object.keys(columns).map(quote).join(", ")}))`;
}
