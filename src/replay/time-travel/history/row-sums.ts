import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import { quote, type Table } from "../../../projections/table.ts";
import { damage } from "./damage.ts";

/*
 * Each version of a row has a sum of all that it says: of which table it is, from when until when it holds, and what it holds. It is checked
 * whenever somebody reads that version who asks for that, so that what is answered was written like that. It does not tell of a version that is
 * not found, since its place in an index, or when it holds, is not what was written.
 */

const OPTIONS = { varargs: true, deterministic: true };

/** Gives a connection the SQL function `row_sum(table, from, to, columns…)`. */
export function addRowSum(database: Database.Database): void {
  database.function("row_sum", OPTIONS, (...said: unknown[]) => sumOf(said));
}

/**
 * Gives a connection the SQL function `row_is_whole(sum, table, from, to, columns…)`, for `isWholeSql`. Where a row is not what was written, the
 * query fails as it does where SQLite finds the file damaged.
 */
export function addRowCheck(database: Database.Database): void {
  database.function("row_is_whole", OPTIONS, (sum: unknown, ...said: unknown[]) => {
    if (sum === sumOf(said)) return 1;
    throw damage(`a row of ${said[0]} fails its checksum`);
  });
}

/** 48 bits of SHA-256: a number that JavaScript has exactly. */
function sumOf(said: readonly unknown[]): number {
  return Number.parseInt(hash("sha256", JSON.stringify(said)).slice(0, 12), 16);
}

/** SQL of a table's sum, of a version that holds as long, and what else of it is given by other SQL than its column. */
export function sumSql(
  { name, columns }: Table,
  span: { readonly from: string; readonly to: string },
  given: (column: string) => string = quote,
): string {
  const said = [`'${name}'`, span.from, span.to, ...Object.keys(columns).map(given)];
  return `row_sum(${said.join(", ")})`;
}

/**
 * SQL that is 1 for a version that is what was written, and fails for another one. As a query of its own: else SQLite would put `'open'` for `state` there
 * where another condition is `state = 'open'`, also for a row that it is not true of; and so it comes after all other conditions.
 */
export function isWholeSql({ name, columns }: Table): string {
  return `(SELECT row_is_whole(__sum, '${name}', __from, __to, ${Object.keys(columns).map(quote).join(", ")}))`;
}
