export type LogErrorCode =
  | "invalid_event"
  | "unknown_event_type"
  | "newer_schema"
  | "head_moved"
  | "stream_moved"
  | "id_conflict"
  | "history_differs"
  | "redacted"
  | "time_out_of_range"
  | "busy"
  | "disk"
  | "commit_unknown"
  | "damaged"
  | "closed";

/** What can go wrong with a log. `message` says what was wrong, what would be right, and what to do. */
export class LogError extends Error {
  override readonly name = "LogError";
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
