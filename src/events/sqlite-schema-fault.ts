import Database from "better-sqlite3";
import { LOG_SCHEMA, REDACTION_SCHEMA } from "./sqlite-schema.ts";

/** The schemas of all formats that this program knows: the first, and the one with redactions. */
const SCHEMAS: readonly string[] = [LOG_SCHEMA, LOG_SCHEMA + REDACTION_SCHEMA];

/**
 * How the schema of a log's file differs from its format: a trigger that no longer keeps the log
 * append-only, one that changes what is appended, a missing index or constraint.
 *
 * @returns a description; undefined if there is no difference
 */
export function schemaFault(database: Database.Database): string | undefined {
  const format = Number(database.pragma("user_version", { simple: true }));
  const schema = SCHEMAS[format - 1];
  if (schema === undefined) return `its format is ${format}, but the first format is 1`;
  const expected = partsOf(schema);
  const found = partsIn(database);
  for (const [part, sql] of found) {
    if (!expected.has(part)) return `it has the ${part}, which a log of format ${format} does not have`;
    if (expected.get(part) !== sql) return `the ${part} differs from that of a log of format ${format}`;
  }
  const missing = [...expected.keys()].find((part) => !found.has(part));
  return missing && `the ${missing} is missing`;
}

function partsOf(schema: string): Map<string, string | null> {
  const database = new Database(":memory:");
  try {
    database.exec(schema);
    return partsIn(database);
  } finally {
    database.close();
  }
}

/**
 * Type and name → the SQL that made it; null for an index that belongs to a column. The tables of
 * ANALYZE change no answer and are left out.
 */
function partsIn(database: Database.Database): Map<string, string | null> {
  const parts = database
    .prepare<[], { part: string; sql: string | null }>(
      "SELECT type || ' ' || name AS part, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat*' ORDER BY rowid",
    )
    .all();
  return new Map(parts.map(({ part, sql }) => [part, sql]));
}
