/** What `signalbox verify` looks at; the name of what was found wrong. */
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

/** What is wrong with a log, and where. */
export interface Damage {
  readonly check: AuditCheck;
  /** The first position that is not as it must be, or may not be. */
  readonly position: number;
  /** The last position that it may be instead, where a tree head tells no more than that. */
  readonly to?: number;
  /** In words. */
  readonly what: string;
}
