import type { Observable } from "rxjs";
import type { Acknowledged } from "./acknowledged.ts";
import type { AuditedLog } from "./audit.ts";
import type { NewEvent } from "./event.ts";
import type { EventRecord } from "./event-record.ts";
import type { Event } from "./types/index.ts";

/**
 * An append-only sequence of events with positions 1, 2, 3, … without gaps. All promises hold
 * across processes; adapters/testing/log-contract lists them, and runs against every implementation.
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
   * @throws LogError `moved`, `head_moved`, `stream_moved`: the condition does not hold; read again and
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

  /**
   * Who appended the events at these positions, as far as the log knows it by itself: on a server the name of the host's login. It is no
   * part of the events: the leaf hashes, exports and reducers know nothing of it. A log that one machine keeps answers with nothing.
   */
  recordedBy(positions: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /** The event with this id, in any stream. */
  find(id: string): Promise<Event | undefined>;

  /**
   * SHA-256 over salt and payload as appended, in hex; remains when a redaction removes both.
   * Undefined for a position past the head.
   */
  payloadHash(position: number): Promise<string | undefined>;

  /**
   * Stored records after a position in log order, at most `limit` of them: what `restore` takes. Of a redacted event the payload is the
   * part that its redaction kept.
   *
   * @throws LogError `damaged`: a leaf hash does not match its record
   */
  records(after: number, limit: number): Promise<readonly EventRecord[]>;

  /** Which log this is, wherever it lies. */
  identity(): Promise<LogIdentity>;

  /**
   * Runs `work` on what is stored, all of it as of one moment and unchecked; writes nothing.
   *
   * @param anyFormat true: also gives a log of a newer format, for checks that hold in all formats
   * @throws LogError `disk`, `busy`, `newer_schema`; `damaged`: it is not readable as an event log;
   * whatever `work` throws
   */
  audit<T>(work: (log: AuditedLog) => Promise<T>, anyFormat?: boolean): Promise<T>;

  /** The last position; 0 for an empty log. */
  head(): Promise<number>;

  /** The last version of a stream; 0 for a stream without events. */
  streamVersion(stream: string): Promise<number>;

  /**
   * Existing events after a position, then new ones from any process, in log order, without gaps or
   * duplicates, in non-empty batches. Ends only when it is unsubscribed or the log is closed.
   */
  follow(after: number): Observable<readonly Event[]>;

  /** The signs of life of the hosts that share it; absent for a log that is one machine's file. They are no events. */
  readonly hosts?: HostBeats;

  /** How often it has connected to its server, which may have another history each time; absent for a log that is one machine's file. */
  readonly connected?: number;

  /** What this host was answered; absent for a log that is one machine's file. */
  readonly acknowledged?: Acknowledged | undefined;

  /** Completes the accepted appends, ends every follower and closes the files. */
  close(): Promise<void>;
}

/** Absent fields are not checked. */
export interface AppendCondition {
  /** The position that the log's head must have. */
  readonly expectedHead?: number;
  /** The version that a stream must have; 0 for a stream that must not exist. */
  readonly expectedStreamVersion?: { readonly stream: string; readonly version: number };
  /** Of what came after a position nothing may bear one of these tags (tags.ts); `*` stands for any. */
  readonly unless?: { readonly after: number; readonly tags: readonly string[] };
}

/** A log is known by its first event: a copy, a restored export and a moved log are the same one. */
export interface LogIdentity {
  /** The id of the first event; undefined for an empty log. */
  readonly log: string | undefined;
  /** How often a standby has taken the log's primary place; 0 for a log without standbys. */
  readonly epoch: number;
  /** Another number after each change of the tables, indexes or triggers of a log in a file. */
  readonly schema?: number;
}

/** Signs of life by the log's own clock (docs/decisions/0052-signs-of-life-by-host.md). */
export interface HostBeats {
  /**
   * A sign of life of a host, in an epoch of it: 1, and one more each time that it was declared lost.
   *
   * @throws LogError `host_lost`: the host has beaten in a later epoch
   * @throws LogError: the log cannot be reached
   */
  beat(host: HostBeat): Promise<void>;
  /** The last sign of each host. */
  list(): Promise<readonly HostSign[]>;
}

interface HostBeat {
  readonly host: string;
  readonly name: string;
  readonly epoch: number;
  /** The level of the log that its program writes. */
  readonly level: number;
}

export interface HostSign extends HostBeat {
  /** Milliseconds since its last beat. */
  readonly silent_ms: number;
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
