import { projections } from "../projections/all.ts";
import type { Column, ColumnSet, Table } from "../projections/table.ts";
import { views } from "../projections/views.ts";
import { checkpointsTable } from "./checkpoints.ts";

/** A table or view with a stable contract for readers (docs/read-model.md). */
export interface ContractTable {
  readonly kind: "table" | "view";
  readonly name: string;
  readonly description: string;
  readonly columns: ColumnSet;
  /** The columns of a table's primary key; none for a view. */
  readonly key: readonly string[];
  /** The columns by which readers order it; none if its own order counts. */
  readonly order: readonly string[];
}

/** All documented tables and views; tables without a description are internal. */
export const contract: readonly ContractTable[] = [
  ...projections.flatMap(({ tables }) => Object.values(tables)).flatMap(describedTable),
  ...describedTable(checkpointsTable),
  ...views.map((view) => ({ kind: "view" as const, ...view, key: [] })),
];

function describedTable({ name, description, columns, key }: Table): ContractTable[] {
  return description === undefined ? [] : [{ kind: "table", name, description, columns, key, order: key }];
}

/** The values of a column, for people: `draft · pending`, `1 or 0`, `text or NULL`, `JSON`. */
export function columnType({ sql, nullable, values, json }: Column<unknown>): string {
  if (values)
    return [...(values.join() === "0,1" ? ["1 or 0"] : values), ...(nullable ? ["NULL"] : [])].join(" · ");
  const type = { INTEGER: "integer", TEXT: "text", ANY: "integer or text" }[sql];
  return `${json ? "JSON" : type}${nullable ? " or NULL" : ""}`;
}

/** A row as JSON Schema. */
export function rowSchema({ columns, description }: ContractTable) {
  return {
    type: "object",
    description,
    properties: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, columnSchema(column)]),
    ),
    required: Object.keys(columns),
  };
}

function columnSchema({ sql, nullable, values, json, meaning }: Column<unknown>) {
  const types = { INTEGER: ["integer"], TEXT: ["string"], ANY: ["integer", "string"] }[sql];
  const [only, ...more] = nullable ? [...types, "null"] : types;
  return {
    type: more.length > 0 ? [only, ...more] : only,
    ...(values && { enum: nullable ? [...values, null] : values }),
    ...(json && { contentMediaType: "application/json" }),
    ...(meaning !== undefined && { description: meaning }),
  };
}
