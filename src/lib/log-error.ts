import { ToldError } from "./told-error.ts";

export type LogErrorCode =
  | "invalid_event"
  | "unknown_event_type"
  | "newer_schema"
  | "upcast_failed"
  | "moved"
  | "moved_to"
  | "head_moved"
  | "stream_moved"
  | "id_conflict"
  | "history_differs"
  | "history_changed"
  | "redacted"
  | "time_out_of_range"
  | "busy"
  | "disk"
  | "server"
  | "commit_unknown"
  | "bad_location"
  | "no_driver"
  | "no_state"
  | "unknown_log"
  | "damaged"
  | "closed"
  | "host_lost";

/** What can go wrong with a log. `message` says what was wrong, what would be right, and what to do. */
export class LogError extends ToldError<LogErrorCode> {
  override readonly name = "LogError";

  get fault() {
    return USAGE.has(this.code) ? "usage" : "unusable";
  }
}

const USAGE: ReadonlySet<LogErrorCode> = new Set([
  "invalid_event",
  "unknown_event_type",
  "id_conflict",
  "bad_location",
]);
