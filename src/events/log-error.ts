import { ToldError } from "../lib/told-error.ts";

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
export class LogError extends ToldError<LogErrorCode> {
  override readonly name = "LogError";

  get fault() {
    return USAGE.has(this.code) ? "usage" : "unusable";
  }
}

const USAGE: ReadonlySet<LogErrorCode> = new Set(["invalid_event", "unknown_event_type", "id_conflict"]);
