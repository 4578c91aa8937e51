import Database from "better-sqlite3";
import type { Event } from "../events/types/index.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { Projection, Reducer, RowsOf, TableSet } from "../projections/projection.ts";
import { openRows, type Rows } from "../projections/rows.ts";
import type { NameOf, Table } from "../projections/table.ts";
import { RowRefused } from "./memory-rows.ts";
import { ReadModelError } from "./read-model-error.ts";

/** A projection with the rows of its tables, under whatever names the database has for them. */
export interface BoundProjection {
  readonly projection: Projection;
  readonly rows: RowsOf<TableSet>;
  readonly nameOf: NameOf;
}

/** @param open gives access to the rows of a table under a name in the database */
export function bind(
  database: Database.Database,
  projection: Projection,
  nameOf: NameOf,
  open: (database: Database.Database, table: Table, as: string) => Rows = openRows,
): BoundProjection {
  const rows = Object.entries(projection.tables).map(
    ([name, table]) => [name, open(database, table, nameOf(table))] as const,
  );
  return { projection, rows: Object.fromEntries(rows), nameOf };
}

/** @throws ReducerFailure wraps an error of the reducer; database failures are thrown unchanged */
export function reduce({ projection, rows }: BoundProjection, event: Event): void {
  const reducer: Reducer | undefined = projection.on[event.type];
  if (!reducer) return;
  try {
    reducer(event, rows);
  } catch (cause) {
    if (isOfDatabase(cause)) throw cause;
    throw new ReducerFailure(projection.name, event, cause);
  }
}

/** A full disk or a lock is not the reducer's fault; the same event is reduced again later. */
function isOfDatabase(cause: unknown): boolean {
  return (
    cause instanceof Database.SqliteError &&
    /^SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|CORRUPT|NOTADB|READONLY|CANTOPEN|INTERRUPT|PROTOCOL)/.test(
      cause.code,
    )
  );
}

/** True if a reducer threw, or violated its tables' constraints. */
export function isOfReducer(error: unknown): boolean {
  const cause = error instanceof ReadModelError ? error.cause : error;
  if (cause instanceof ReducerFailure || cause instanceof RowRefused) return true;
  return cause instanceof Database.SqliteError && !isOfDatabase(cause);
}

/** A reducer threw: a bug in the program, never the caller's fault. */
export class ReducerFailure extends Error {
  override readonly name = "ReducerFailure";
  readonly projection: string;
  readonly event: Event;

  constructor(projection: string, event: Event, cause: unknown) {
    super(`position ${event.position}: ${errorMessage(cause)}`, { cause });
    this.projection = projection;
    this.event = event;
  }
}
