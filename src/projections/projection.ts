import type { Event, EventType } from "../events/types/index.ts";
import type { OwnEvent } from "../events/types/own.ts";
import type { IndexedRows, Rows } from "./rows.ts";
import type { Table } from "./table.ts";

/**
 * Declares a projection: tables, and what each type of event does to them.
 *
 * A reducer sees the event and the rows of its own tables, and nothing else: no clock, no randomness, no I/O, no
 * other projection. Every key that it writes comes from an event's id or position, so that a rebuild gives the same
 * rows. Change `version` with every change of a reducer or a table: the projection is then rebuilt by itself.
 *
 * @example
 * export const comments = defineProjection({
 *   name: "comments",
 *   version: 1,
 *   tables: { comments: commentsTable },
 *   on: {
 *     "comment.added": (event, rows) =>
 *       rows.comments.insert({ id: event.position, task_id: event.payload.task, body: event.payload.body }),
 *   },
 * });
 */
export function defineProjection<const Tables extends TableSet>(
  projection: ProjectionDefinition<Tables>,
): Projection<Tables> {
  // Inside a read model a projection only gets rows of its own tables.
  return Object.freeze(projection) as unknown as Projection<Tables>;
}

export type TableSet = Readonly<Record<string, Table>>;
export type RowsOf<Tables extends TableSet> = { readonly [Name in keyof Tables]: Rows<Tables[Name]> };
/** The same for readers. */
export type IndexedRowsOf<Tables extends TableSet> = {
  readonly [Name in keyof Tables]: IndexedRows<Tables[Name]>;
};

type Reducers<R> = { readonly [Type in EventType]?: (event: Event<Type>, rows: R) => void };

interface ProjectionDefinition<Tables extends TableSet> {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /** Tables of earlier versions; a rebuild removes them, since they could keep a redacted text. */
  readonly former?: readonly string[];
  /** Projections of earlier program versions whose tables now belong to this one. */
  readonly absorbed?: readonly string[];
  readonly on: Reducers<RowsOf<Tables>>;
}

/** A projection whose tables are known only at run time. */
export interface Projection<Tables extends TableSet = TableSet> {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  readonly former?: readonly string[];
  readonly absorbed?: readonly string[];
  /** The own events that it reduces, where it is not one of ours. */
  readonly events?: readonly OwnEvent[];
  readonly on: Readonly<Partial<Record<EventType, Reducer>>>;
}

export type Reducer = (event: Event, rows: RowsOf<TableSet>) => void;
