import { z } from "zod";
import { isBlank, parsedJson } from "../core.ts";
import type { Columns, ForeignDatabase } from "./database.ts";

/** A nullable text column. */
export const textColumn = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === "" ? undefined : String(value)));

/** A reference to a row, by number or text. */
export const refColumn = z.union([z.string(), z.number()]).transform(String);

/** A list, as JSON or one entry per line; empty becomes none. */
export const listColumn = textColumn.transform((text) => (text === undefined ? [] : listOf(text)));

function listOf(text: string): string[] {
  if (text.trimStart().startsWith("[")) {
    const parsed = z.array(z.union([z.string(), z.number()]).transform(String)).safeParse(parsedJson(text));
    if (parsed.success) return parsed.data;
  }
  return text.split(/\r\n|\n|\r/).filter((line) => !isBlank(line));
}

/**
 * Lists stored in a separate table: a column's texts by the row that they belong to.
 *
 * @param owner the column that references that row
 */
export function listsIn(
  database: ForeignDatabase,
  table: string,
  owner: string,
  column: string,
): (id: unknown) => readonly string[] {
  const lists = Map.groupBy(database.rows(table), (row) => String(row[owner]));
  return (id) => (lists.get(String(id)) ?? []).map((row) => String(row[column]));
}

/** A row's content for comparison as JSON; bytes only by their length. */
export function contentOf(row: Columns): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? `${value.length} bytes` : value,
    ]),
  );
}
