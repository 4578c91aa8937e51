import type { Observable } from "rxjs";
import type { NewEvent } from "./event.ts";
import type { EventRecord } from "./event-record.ts";
import type { Event } from "./types/index.ts";

/**
 * An append-only sequence of events with positions 1, 2, 3, … without gaps. Everything promised here holds from
 * every process that has the log open; test/events/log-contract.ts is the list, run against every implementation.
 */
export interface EventLog {
  /** The file that holds it, for other threads to open; absent where no file holds just these events. */
  readonly path?: string;

  /**
   * Appends all events, or none, and resolves when they are durable.
   *
   * Idempotent by event id: if the first event's id is in the log, the whole batch must be, with the same content;
   * then nothing is written and the events come back as they were appended the first time.
   *
   * @throws LogError `invalid_event`, `unknown_event_type`: nothing is wrong with the log, the event is.
   * @throws LogError `head_moved`, `stream_moved`: the condition does not hold; look again and decide anew.
   * @throws LogError `id_conflict`: an id is in the log with another content.
   * An `event.redacted` also removes payload and salt of the event that it names, which is read with what it kept from
   * then on; both happen, or neither.
   *
   * @throws LogError `redacted`: the event that a redaction names is redacted already.
   * @throws LogError `time_out_of_range`: the clock, or the log's last event, is past the year 9999; nothing is wrong with
   * the file.
   * @throws LogError `busy`, `disk`, `commit_unknown`: append again with the same ids.
   */
  append(events: readonly NewEvent[], condition?: AppendCondition): Promise<Appended>;

  /**
   * Puts events back that were taken out of a log as they are stored: each keeps its position, id, time, salt and leaf
   * hash. All of those behind the head, or none, durably; what the log holds already must be the same, and is passed over,
   * so that the same call again does nothing.
   *
   * One without payload is taken with the `event.redacted` that says so, in the same call; where the log has it already, it
   * stays as it is there.
   *
   * @param records in log order, at most BATCH_LIMIT of them, or as many as lie between an event and its redaction
   * @returns how many were put back
   * @throws LogError `invalid_event`: one is not as it was appended, or cannot stand where it says; `newer_schema`
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

  /** The event with this id, wherever it is. */
  find(id: string): Promise<Event | undefined>;

  /**
   * SHA-256 over the salt and the payload of an event as it was appended, in hex; it stays when a redaction removes both.
   * Undefined where there is no such position.
   */
  payloadHash(position: number): Promise<string | undefined>;

  /** The last position; 0 for an empty log. */
  head(): Promise<number>;

  /** The last version of a stream; 0 for one that has no events. */
  streamVersion(stream: string): Promise<number>;

  /**
   * What there is after a position, then what comes, from any process, in log order, without gaps or repetition,
   * in batches that are never empty. It ends only when it is unsubscribed or the log is closed.
   */
  follow(after: number): Observable<readonly Event[]>;

  /** Ends every follower and lets go of files. Appends that were accepted are completed first. */
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

/** How many events a read gives at most that asks for `limit`. */
export function pageSize(limit: number): number {
  return Math.max(0, Math.min(limit, BATCH_LIMIT));
}
