import { hash } from "node:crypto";
import type { Projection } from "../projections/projection.ts";
import { createIndexSql, createLookupSql, createSearchSql, createTableSql } from "../projections/table.ts";

/**
 * The version of a read model's file apart from its projections' tables, stored in `user_version`.
 */
export const READ_MODEL_FORMAT = 2;

/** All SQL that creates the tables of a projection under their own names. */
export function projectionSql({ tables }: Projection): string[] {
  return Object.values(tables).flatMap((table) => [
    createTableSql(table, table.name),
    ...createLookupSql(table, table.name),
    ...createIndexSql(table, table.name),
    ...createSearchSql(table),
  ]);
}

/** A hash of that SQL: changed tables are rebuilt, even if no one raised the version. */
export function schemaOf(projection: Projection): string {
  let schema = schemas.get(projection);
  if (schema === undefined) {
    schema = hash("sha256", projectionSql(projection).join(";")).slice(0, 16);
    schemas.set(projection, schema);
  }
  return schema;
}

/** Cached: declarations never change, and each use of the read model needs the hash. */
const schemas = new WeakMap<Projection, string>();
