import { hash } from "node:crypto";
import type { Projection } from "./projection.ts";
import { createIndexSql, createLookupSql, createSearchSql, createTableSql } from "./table.ts";

/** The version of what a read model's file holds besides the tables of projections, kept in `user_version`. */
export const READ_MODEL_FORMAT = 2;

/** All SQL that makes the tables of a projection under their own names. */
export function projectionSql({ tables }: Projection): string[] {
  return Object.values(tables).flatMap((table) => [
    createTableSql(table, table.name),
    ...createLookupSql(table, table.name),
    ...createIndexSql(table, table.name),
    ...createSearchSql(table),
  ]);
}

/** A hash of that SQL: tables whose declaration changed are rebuilt, also where nobody raised the version. */
export function schemaOf(projection: Projection): string {
  let schema = schemas.get(projection);
  if (schema === undefined) {
    schema = hash("sha256", projectionSql(projection).join(";")).slice(0, 16);
    schemas.set(projection, schema);
  }
  return schema;
}

/** Declarations do not change, and each look at the read model asks for the hash. */
const schemas = new WeakMap<Projection, string>();
