import type { Observable } from "rxjs";
import type { NewEvent } from "./event.ts";
import type { EventRecord } from "./event-record.ts";
import type { Event } from "./types/index.ts";

/**
 * An append-only sequence of events with positions 1, 2, 3, … without gaps. All promises hold
 * across processes; src/api/log-contract lists them, and runs against every implementation.
 */
export interface EventLog {
  /** The log's file, for other threads to open; absent if no file holds exactly these events. */
  readonly path?: string;

  /**
   * Appends all events, or none, and resolves when they are durable.
   *
   * Idempotent by event id: if the first event's id is in the log, the whole batch must be, with the same content;
   * then nothing is written and the events come back as they were appended the first time.
   *
   * @throws LogError `invalid_event`, `unknown_event_type`: the event is at fault, not the log.
   * @throws LogError `head_moved`, `stream_moved`: the condition does not hold; read again and
   * decide anew.
   * @throws LogError `id_conflict`: the log has this id with other content.
   *
   * An `event.redacted` also removes payload and salt of the event that it names, atomically; from
   * then on that event is read with the part that the redaction kept.
   *
   * @throws LogError `redacted`: the event to redact is redacted already.
   * @throws LogError `time_out_of_range`: the clock, or the log's last event, is past the year
   * 9999; the file is intact.
   * @throws LogError `busy`, `disk`, `commit_unknown`: append again with the same ids.
   */
  append(events: readonly NewEvent[], condition?: AppendCondition): Promise<Appended>;

  /**
   * Restores stored events that were exported from a log: each keeps its position, id, time, salt
   * and leaf hash. Inserts all those after the head, or none, durably. Events that the log already
   * has must be identical and are skipped, so the call is idempotent.
   *
   * An event without payload must come in the same call as its `event.redacted`. If the log already
   * has that event, the log's copy stays.
   *
   * @param records in log order, at most BATCH_LIMIT of them, or as many as lie between an event
   * and its redaction
   * @returns how many were inserted
   * @throws LogError `invalid_event`: a record is not as it was appended, or cannot have its
   * position; `newer_schema`
   * @throws LogError `history_differs`: the log holds another event at the position that the message names
   * @throws LogError `busy`, `disk`: restore again
   */
  restore(records: readonly EventRecord[]): Promise<number>;

  /** Events after a position in log order, at most `limit` of them. */
  read(after: number, limit: number): Promise<readonly Event[]>;

  /** Events of a stream after one of its versions in log order, at most `limit` of them. */
  readStream(stream: string, afterVersion: number, limit: number): Promise<readonly Event[]>;

  /** The positions from one to another, both included, of all events of these streams, ascending. */
  positionsIn(streams: readonly string[], from: number, to: number): Promise<readonly number[]>;

  /** The event with this id, in any stream. */
  find(id: string): Promise<Event | undefined>;

  /**
   * SHA-256 over salt and payload as appended, in hex; remains when a redaction removes both.
   * Undefined for a position past the head.
   */
  payloadHash(position: number): Promise<string | undefined>;

  /** The last position; 0 for an empty log. */
  head(): Promise<number>;

  /** The last version of a stream; 0 for a stream without events. */
  streamVersion(stream: string): Promise<number>;

  /**
   * Existing events after a position, then new ones from any process, in log order, without gaps or
   * duplicates, in non-empty batches. Ends only when it is unsubscribed or the log is closed.
   */
  follow(after: number): Observable<readonly Event[]>;

  /** Completes the accepted appends, ends every follower and closes the files. */
  close(): Promise<void>;
}

/** Absent fields are not checked. */
export interface AppendCondition {
  /** The position that the log's head must have. */
  readonly expectedHead?: number;
  /** The version that a stream must have; 0 for a stream that must not exist. */
  readonly expectedStreamVersion?: { readonly stream: string; readonly version: number };
}

export interface Appended {
  /** `appended_before`: the ids were in the log already, with this content. */
  readonly outcome: "appended" | "appended_before";
  /** The events as stored, in order. */
  readonly events: readonly Event[];
}

/** The largest number of events that one append or one read takes. */
export const BATCH_LIMIT = 10_000;

/** The largest number of events that a read with this `limit` returns. */
export function pageSize(limit: number): number {
  return Math.max(0, Math.min(limit, BATCH_LIMIT));
}
