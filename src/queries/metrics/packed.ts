import { type Expression, type RawBuilder, sql } from "kysely";
import { parseColumn } from "../../projections/parse-column.ts";

/** Every value of a column, in the order of the rows, as JSON. */
export type Packed<Value> = string & { readonly values: readonly Value[] };

/**
 * Answers a column of all rows as one value: a hundred thousand narrow rows reach JavaScript in a third of the time that they take
 * one by one.
 */
export function packed<Value>(column: Expression<Value>): RawBuilder<Packed<Value>> {
  return sql<Packed<Value>>`json_group_array(${column})`;
}

/** What `packed` packed. */
export function unpacked<Value>(column: Packed<Value>): readonly Value[] {
  return parseColumn(column);
}
