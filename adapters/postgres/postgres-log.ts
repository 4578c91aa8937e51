import { merge, type Observable, Subject, takeUntil } from "rxjs";
import { Appends } from "./appends.ts";
import { appendAsOwner, isForOwner, restoreAsOwner } from "./as-owner.ts";
import { auditSchema } from "./audit.ts";
import { hostBeats } from "./beats.ts";
import type { Connection, Row } from "./connection.ts";
import {
  Acknowledged,
  type Appended,
  type AppendRequest,
  checkRecords,
  type Environment,
  type Event,
  type EventLog,
  type EventRecord,
  followByPages,
  type HostBeats,
  isEventId,
  KnownHistory,
  LogError,
  type LogIdentity,
  pageSize,
  payloadHash,
  prepareAppend,
  ToldError,
  turns,
} from "./core.ts";
import { Lane, type Line } from "./lane.ts";
import { COLUMNS, checkWhole, toEvents, toRecords } from "./rows.ts";
import { asServerError, movedElsewhere } from "./server-error.ts";
import { parsePostgresUrl } from "./url.ts";
import { Notices, wakesOf } from "./wakes.ts";

export interface PostgresOptions {
  /** How long an append waits for the server, its primary or its standbys. */
  readonly patience_ms?: number | undefined;
  /** Opens it without asking whether it is there: for a reader who can do without it (`Store.mayLag`). */
  readonly unasked?: boolean;
  /** The file in which this host keeps what it was answered. */
  readonly acknowledged?: string | undefined;
  /** Gives events the environment's time, not the server's. Only the log's owner can, who tries it. */
  readonly ownClock?: boolean;
  /** Also opens a log that goes on elsewhere (`endPostgresLog`), to read it. */
  readonly readsMoved?: boolean;
}

/**
 * The event log of several hosts: a schema of a PostgreSQL database, made by `createPostgresLog`. Appends of all processes share
 * durable commits (docs/decisions/0053-the-log-on-postgresql.md).
 *
 * @throws LogError `server`: the URL, the login or the database is not right; `busy`: no server answers
 */
export async function openPostgresLog(
  url: string,
  environment: Environment,
  options: PostgresOptions = {},
): Promise<EventLog> {
  const log = new PostgresLog(url, environment, options);
  try {
    if (!options.unasked) await log.head();
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

const PATIENCE_MS = 60_000;
/** Reading is tried again by whoever reads; a failover takes a few seconds. */
const READING_MS = 10_000;

class PostgresLog implements EventLog {
  readonly hosts: HostBeats = hostBeats((use) => this.#look(use));
  readonly acknowledged: Acknowledged | undefined;
  readonly #line: Line;
  readonly #options: PostgresOptions;
  readonly #patience_ms: number;
  readonly #reads: Lane;
  readonly #writes: Lane;
  readonly #appends: Appends;
  /** Restores and redactions, one after the other. */
  readonly #ownerTurn = turns();
  readonly #appended = new Subject<void>();
  readonly #closed = new Subject<void>();
  readonly #wakes: Observable<unknown>;
  readonly #notices: Notices;
  #closing = false;

  constructor(url: string, environment: Environment, options: PostgresOptions) {
    const place = parsePostgresUrl(url);
    this.#line = {
      place,
      environment,
      known: new KnownHistory(),
      epoch: 0,
      connected: 0,
      closed: new AbortController(),
      readsMoved: options.readsMoved ?? false,
    };
    this.#options = options;
    this.acknowledged =
      options.acknowledged === undefined ? undefined : new Acknowledged(options.acknowledged);
    this.#patience_ms = options.patience_ms ?? PATIENCE_MS;
    this.#reads = new Lane(this.#line);
    this.#writes = new Lane(this.#line);
    this.#notices = new Notices(place.schema);
    this.#wakes = wakesOf(new Lane(this.#line), place.schema);
    this.#appends = new Appends({
      line: this.#line,
      lane: this.#writes,
      patience_ms: this.#patience_ms,
      ownClock: options.ownClock ?? false,
      onAppended: (head, connection, hasLed) => this.#tell(head, connection, hasLed),
    });
  }

  get connected(): number {
    return this.#line.connected;
  }

  async append(...[events, condition = {}]: Parameters<EventLog["append"]>): Promise<Appended> {
    this.#checkOpen();
    const request = prepareAppend(events, condition, this.#line.environment);
    const append = isForOwner(request) ? this.#appendAsOwner(request) : this.#appends.append(request);
    const appended = await append;
    this.acknowledged?.note(appended.events);
    return appended;
  }

  async restore(records: readonly EventRecord[]): Promise<number> {
    this.#checkOpen();
    checkRecords(records);
    return this.#asOwner(async (connection) => {
      const count = await restoreAsOwner(connection, records);
      this.#noteWritten(count > 0 ? records.at(-1) : undefined, connection);
      return count;
    });
  }

  async read(after: number, limit: number): Promise<readonly Event[]> {
    return this.#look(async (connection) => {
      const events = await toEvents(await this.#rowsAfter(connection, after, limit), connection);
      this.#line.known.note(events.at(-1));
      return events;
    });
  }

  async readStream(stream: string, afterVersion: number, limit: number): Promise<readonly Event[]> {
    return this.#look(async (connection) => {
      const size = pageSize(limit);
      const { rows } = await connection.query(
        `SELECT ${COLUMNS}, h.version FROM (SELECT coalesce(max(stream_version), 0) AS version FROM ${connection.schema}.events WHERE stream = $1) h
         LEFT JOIN LATERAL (SELECT * FROM ${connection.schema}.events WHERE stream = $1 AND stream_version > $2 ORDER BY stream_version LIMIT $3)
         e ON true ORDER BY e.stream_version`,
        [stored(stream), afterVersion, size],
      );
      const found = rows.filter(([position]) => position !== null);
      checkWhole(found, 3, afterVersion, Math.min(Number(rows[0]?.at(-1)), afterVersion + size));
      return toEvents(found, connection);
    });
  }

  async positionsIn(streams: readonly string[], from: number, to: number): Promise<readonly number[]> {
    return this.#look(async (connection) => {
      const { rows } = await connection.query(
        `SELECT position FROM ${connection.schema}.events WHERE stream = ANY ($1) AND position BETWEEN $2 AND $3 ORDER BY position`,
        [streams.map(stored), from, Math.min(to, Number.MAX_SAFE_INTEGER)],
      );
      return rows.map(([position]) => Number(position));
    });
  }

  async recordedBy(positions: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.#look(async (connection) => {
      const { rows } = await connection.query(
        `SELECT position, host FROM ${connection.schema}.events WHERE position = ANY ($1)`,
        [positions.filter(Number.isSafeInteger)],
      );
      return new Map(rows.map(([position, host]) => [Number(position), host ?? ""]));
    });
  }

  /** What it finds is durable, as decisions acknowledge it. */
  async find(id: string): Promise<Event | undefined> {
    return this.#look(async (connection) => {
      if (!isEventId(id)) return undefined;
      const { rows } = await connection.query(
        `SELECT ${COLUMNS} FROM ${connection.schema}.events e WHERE id = $1`,
        [id],
      );
      if (rows.length > 0) await connection.durably(`SELECT ${connection.schema}.confirm()`);
      return (await toEvents(rows, connection))[0];
    });
  }

  async payloadHash(position: number): Promise<string | undefined> {
    const [record] = position < 1 ? [] : await this.records(position - 1, 1);
    return record && payloadHash(record).toString("hex");
  }

  async records(after: number, limit: number): Promise<readonly EventRecord[]> {
    return this.#look(async (connection) =>
      toRecords(await this.#rowsAfter(connection, after, limit), connection),
    );
  }

  readonly audit: EventLog["audit"] = async (work) => {
    this.#checkOpen();
    const lane = new Lane(this.#line);
    try {
      // Never again from the beginning, since `work` has seen a part by then.
      const connection = await lane.use(this.#patience_ms, async (connection) => connection);
      return await auditSchema(connection, work);
    } catch (error) {
      throw error instanceof ToldError ? error : asServerError(error, this.#line.place);
    } finally {
      await lane.close();
    }
  };

  async identity(): Promise<LogIdentity> {
    return this.#look(async (connection) => {
      const { rows } = await connection.query(
        `SELECT (SELECT id FROM ${connection.schema}.events WHERE position = 1), epoch FROM ${connection.schema}.about`,
      );
      return { log: rows[0]?.[0] ?? undefined, epoch: Number(rows[0]?.[1]) };
    });
  }

  async head(): Promise<number> {
    return this.#look(async (connection) => {
      const { rows } = await connection.query(
        `SELECT (SELECT coalesce(max(position), 0) FROM ${connection.schema}.events), moved_to FROM ${connection.schema}.about`,
      );
      this.#refuseMoved(rows[0]?.[1]);
      return Number(rows[0]?.[0]);
    });
  }

  async streamVersion(stream: string): Promise<number> {
    return this.#look(async (connection) => {
      const { rows } = await connection.query(
        `SELECT coalesce(max(stream_version), 0) FROM ${connection.schema}.events WHERE stream = $1`,
        [stored(stream)],
      );
      return Number(rows[0]?.[0]);
    });
  }

  follow(after: number): Observable<readonly Event[]> {
    return followByPages({
      after,
      wakes: merge(this.#appended, this.#wakes).pipe(takeUntil(this.#closed)),
      read: async (seen, limit) => {
        try {
          return await this.read(seen, limit);
        } catch (error) {
          // A server that is away for an hour is an hour of nothing new.
          if (error instanceof LogError && error.code === "busy") return [];
          throw error;
        }
      },
      isClosing: () => this.#closing,
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#appends.settled();
    await this.#ownerTurn(async () => {});
    this.#line.closed.abort();
    this.#closed.next();
    this.#closed.complete();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
    this.acknowledged?.close();
  }

  #checkOpen(): void {
    if (this.#closing) throw new LogError("closed", "This log is closed; open it again.");
  }

  async #look<T>(read: (connection: Connection) => Promise<T>): Promise<T> {
    this.#checkOpen();
    return this.#reads.use(Math.min(READING_MS, this.#patience_ms), read);
  }

  #appendAsOwner(request: AppendRequest): Promise<Appended> {
    const { environment } = this.#line;
    return this.#asOwner(async (connection) => {
      const ownClock = this.#options.ownClock ?? false;
      const { insert, appended } = await appendAsOwner(connection, request, environment, ownClock);
      this.#noteWritten(insert.at(-1), connection);
      return appended;
    });
  }

  /** A page of rows, as of one moment: with the head then, which they must reach. */
  async #rowsAfter(connection: Connection, after: number, limit: number): Promise<readonly Row[]> {
    const { schema } = connection;
    const size = pageSize(limit);
    const { rows } = await connection.query(
      `SELECT ${COLUMNS}, h.moved_to, h.head FROM (SELECT moved_to, (SELECT coalesce(max(position), 0) FROM ${schema}.events) AS head FROM ${schema}.about WHERE one) h
       LEFT JOIN LATERAL (SELECT * FROM ${schema}.events WHERE position > $1 ORDER BY position LIMIT $2) e ON true ORDER BY e.position`,
      [after, size],
    );
    const [movedTo, head] = rows[0]?.slice(-2) ?? [];
    this.#refuseMoved(movedTo);
    const found = rows.filter(([position]) => position !== null);
    checkWhole(found, 0, after, Math.min(Number(head), after + size));
    return found;
  }

  #refuseMoved(to: string | null | undefined): void {
    if (to && !this.#line.readsMoved) throw movedElsewhere(this.#line.place, to);
  }

  #asOwner<T>(write: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#ownerTurn(async () => {
      const lane = new Lane(this.#line);
      try {
        return await lane.use(Math.max(this.#patience_ms, OWNER_MS), write);
      } finally {
        await lane.close();
      }
    });
  }

  #noteWritten(last: EventRecord | undefined, connection: Connection): void {
    if (!last) return;
    this.#line.known.note(last);
    this.#tell(last.position, connection);
  }

  #tell(head: number, connection: Connection, hasLed = true): void {
    if (hasLed) this.#notices.send(head, connection, this.#line.environment.elapsed_ms());
    // Followers get the events in a later turn: the callers of append come first.
    if (this.#appended.observed) setImmediate(() => this.#appended.next());
  }
}

/** A restore of 10,000 large events takes its time. */
const OWNER_MS = 600_000;

/** No stream has a NUL in its name, which PostgreSQL does not take in a text. */
function stored(stream: string): string {
  return stream.replaceAll("\0", "\ufffd");
}
