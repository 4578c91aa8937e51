/** The checks of `signalbox verify`, which also name the faults. */
type AuditCheck =
  | "file"
  | "schema"
  | "gap"
  | "row"
  | "leaf_hash"
  | "stream_version"
  | "time"
  | "payload"
  | "redaction"
  | "id"
  | "stream"
  | "origin"
  | "tail"
  | "tree_head";

/** A fault in a log, and its position. */
export interface Damage {
  readonly check: AuditCheck;
  /** The first position that is, or may be, wrong. */
  readonly position: number;
  /** The last position that may be wrong, if a tree head gives only a range. */
  readonly to?: number;
  /** A description. */
  readonly what: string;
}
