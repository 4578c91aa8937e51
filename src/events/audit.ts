import type { LogError } from "../lib/log-error.ts";

/**
 * A raw row of a log, as it is stored. Its columns may hold anything: the log may be damaged or tampered
 * with.
 */
export interface RawRow {
  readonly position: number;
  readonly id: unknown;
  /** The stream's name; undefined if the log has none for this row. */
  readonly stream: unknown;
  readonly stream_version: unknown;
  readonly type: unknown;
  readonly schema_version: unknown;
  readonly payload: unknown;
  readonly salt: unknown;
  readonly recorded_at: unknown;
  readonly actor: unknown;
  readonly causation: unknown;
  readonly correlation: unknown;
  readonly leaf_hash: unknown;
  /** Of a redacted event; NULL for any other. */
  readonly payload_hash: unknown;
}

/** A position with its stored leaf hash. */
export type RawLeaf = Pick<RawRow, "position" | "leaf_hash">;

/** A consistent snapshot of a log, unchecked, whatever other processes append meanwhile. */
export interface AuditedLog {
  /** Set if a newer program wrote the log in a format that this one does not know. */
  readonly newer: LogError | undefined;
  /** The lowest stored position; undefined for an empty log. */
  lowest(): Promise<number | undefined>;
  /** The last stored position; 0 for an empty log. */
  head(): Promise<number>;
  /** All rows in the order of their positions, in non-empty pages. */
  rows(): AsyncIterable<readonly RawRow[]>;
  /** The leaves after `after` and up to `last`, in the same way. */
  leaves(after: number, last: number): AsyncIterable<readonly RawLeaf[]>;
  /** The row at a position. */
  row(position: number): Promise<RawRow | undefined>;
  /** The positions of all events of a type, ascending. */
  positionsOf(type: string): Promise<readonly number[]>;
  /** The names of all streams that the log knows, also of those without an event. */
  streams(): Promise<readonly unknown[]>;
  /** How its tables, indexes and triggers differ from its format; undefined if they do not. */
  schemaFault(): Promise<string | undefined>;
  /** The last position and the number of entries in the index by id: both match the rows in an intact log. */
  indexed(): Promise<{ readonly last: number; readonly count: number }>;
  /** A position whose id occurs twice. */
  doubledId(): Promise<number | undefined>;
  /** What the store's own check of its pages finds; undefined if nothing. */
  fault(): Promise<string | undefined>;
}
