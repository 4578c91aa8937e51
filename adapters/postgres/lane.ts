import { setTimeout as delay } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { type Environment, InFlight, type KnownHistory, LogError, PROGRAM_LEVEL } from "./core.ts";
import { POSTGRES_FORMAT } from "./schema.ts";
import { asServerError, isPassing, movedElsewhere, noLog, refuseOldServer } from "./server-error.ts";
import type { PostgresPlace } from "./url.ts";

/** What the handles' connections have in common. */
export interface Line {
  readonly place: PostgresPlace;
  readonly environment: Environment;
  readonly known: KnownHistory;
  /** The highest epoch that this handle has seen; a lower one is an older primary's. */
  epoch: number;
  /** How many connections were made so far. */
  connected: number;
  /** Aborted when the log is closed. */
  readonly closed: AbortController;
  /** True: also reads a log that goes on elsewhere. */
  readonly readsMoved: boolean;
}

/** How long one server has for its first answer. */
const CONNECT_MS = 3_000;

/** One connection, made when it is wanted and again when it ended: to the first of the servers that takes writes. */
export class Lane {
  readonly #line: Line;
  #opening: Promise<Connection> | undefined;

  constructor(line: Line) {
    this.#line = line;
  }

  /**
   * Does work over the connection, again and again while the server is away. The work may have been done though its answer was lost, so
   * it must be the same if it is done twice.
   *
   * @throws LogError `busy`: the server stayed away; what else the server says
   */
  async use<T>(patience_ms: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const { environment, place } = this.#line;
    let connection: Connection | undefined;
    let isOver = false;
    // A server that waits for a standby answers nothing at all.
    const end = setTimeout(() => {
      isOver = true;
      connection?.destroy();
    }, patience_ms);
    // A machine without power ends no connection.
    const probe = setInterval(async () => {
      const probed = connection;
      if (probed && !(await answers(place, probed))) probed.destroy();
    }, PROBE_MS);
    try {
      for (let attempt = 0; ; attempt++) {
        connection = undefined;
        try {
          connection = await this.#open();
          return await work(connection);
        } catch (error) {
          // After an error of the server a connection may hold a lock, or wait for one.
          if (connection && !(error instanceof LogError)) this.drop(connection);
          if (this.#line.closed.signal.aborted || !isAwayError(error) || isOver)
            throw asServerError(error, place);
        }
        await delay(pauseAfter(attempt, environment.jitter()));
      }
    } finally {
      clearTimeout(end);
      clearInterval(probe);
    }
  }

  /** Ends the connection, so that the next use makes another one. */
  drop(connection: Connection): void {
    connection.destroy();
    this.#opening = undefined;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const connection = await opening?.catch(() => undefined);
    connection?.close();
    await connection?.ended;
  }

  async #open(): Promise<Connection> {
    const opening = this.#opening;
    if (opening) {
      const connection = await opening;
      if (!connection.hasEnded) return connection;
      if (this.#opening !== opening) return this.#open();
    }
    const next = openFound(this.#line);
    this.#opening = next;
    next.catch(() => {
      if (this.#opening === next) this.#opening = undefined;
    });
    return next;
  }
}

/**
 * Milliseconds from an attempt that found no server to the next one: 50 to 250 at first, 1 to 2 s from the fifth. To accept a connection
 * costs a server 5 to 30 ms of CPU, so hundreds that try again at once would keep it from starting.
 */
function pauseAfter(attempt: number, jitter: number): number {
  return attempt < 4 ? 50 * 1.6 ** attempt + jitter * 200 : 1_000 + jitter * 1_000;
}

/** While an answer is awaited, its server is tried this often by another connection. */
const PROBE_MS = 3_000;

const probes = new InFlight<boolean>();

function answers(place: PostgresPlace, { server }: Connection): Promise<boolean> {
  return probes.share(server.name, async () => {
    try {
      (await Connection.open(place, server, CONNECT_MS)).close();
      return true;
    } catch (error) {
      return !isPassing(error);
    }
  });
}

const searches = new InFlight<Connection>();

/** One lane of a process looks for the server that takes writes; those that want it meanwhile connect where it was found. */
async function openFound(line: Line): Promise<Connection> {
  const names = line.place.servers.map(({ name }) => name).join();
  const search = searches.begun(names);
  if (search === undefined) return searches.share(names, () => openWritable(line));
  let found: string;
  try {
    found = (await search).server.name;
  } catch (error) {
    if (isAwayError(error)) throw error;
    // What was refused is the other lane's login or history.
    return openWritable(line);
  }
  const server = line.place.servers.find(({ name }) => name === found);
  return server ? openChecked(line, server) : openWritable(line);
}

/** All servers are tried at once: one that is away must not keep from the others. @throws LogError, or the error of a server */
async function openWritable(line: Line): Promise<Connection> {
  const attempts = line.place.servers.map((server) => openChecked(line, server));
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => !isAwayError(error)) ?? errors[0];
  });
  for (const attempt of attempts) {
    attempt.then(
      (connection) => connection !== first && connection.close(),
      () => {},
    );
  }
  return first;
}

async function openChecked(line: Line, server: PostgresPlace["servers"][number]): Promise<Connection> {
  const connection = await Connection.open(line.place, server, CONNECT_MS, line.closed.signal);
  const stopWaiting = connection.giveUpAfter(CONNECT_MS);
  try {
    await check(line, connection);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    stopWaiting();
  }
}

function isAwayError(error: unknown): boolean {
  return isPassing(error) || (error instanceof LogError && error.code === "busy");
}

/** @throws LogError: this is no log that this program may append to, or another history than the handle has seen */
async function check(line: Line, connection: Connection): Promise<void> {
  const { place, known } = line;
  // Compiled queries lose: a page of events is read in 2 ms, and compiled in 100.
  const { rows } = await connection.query(
    `SELECT current_setting('server_version_num'), pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
       to_regclass($1 || '.about') IS NOT NULL, set_config('synchronous_commit', 'off', false), set_config('jit', 'off', false)`,
    [connection.schema],
  );
  const [version, isReadOnly, isLog] = rows[0] ?? [];
  refuseOldServer(version, place);
  if (isReadOnly === "t")
    throw new LogError(
      "busy",
      `No server of ${place.shown} takes writes: there is a standby, but no primary. Promote one.`,
    );
  if (isLog !== "t") throw noLog(place);
  // So that a request whose client is gone does not wait for its turn. Not every system can.
  connection.query("SET client_connection_check_interval = '5s'").catch(() => {});
  // The other lanes of this handle go on meanwhile.
  const { newest } = known;
  const { rows: found } = await connection.query(
    `SELECT a.format, a.epoch, a.level, a.moved_to, (SELECT max(position) FROM ${connection.schema}.events),
       (SELECT leaf_hash FROM ${connection.schema}.events WHERE position = $1) FROM ${connection.schema}.about a`,
    [newest?.position ?? 0],
  );
  const [format, epoch, level, movedTo, head, leafHash] = found[0] ?? [];
  if (Number(format) > POSTGRES_FORMAT || Number(level) > PROGRAM_LEVEL) {
    throw new LogError(
      "newer_schema",
      `This log needs a newer version of signalbox (${place.shown}: format ${format}, level ${level}). Update signalbox here.`,
    );
  }
  if (movedTo && !line.readsMoved) throw movedElsewhere(place, movedTo);
  if (Number(epoch) < line.epoch) {
    throw new LogError(
      "history_changed",
      `An older primary took the log's place: its epoch is ${epoch}, and epoch ${line.epoch} was seen before (${place.shown}). Stop that server, then open the log again.`,
    );
  }
  line.epoch = Number(epoch);
  line.connected += 1;
  const state = {
    at: () => (leafHash ? { leafHash: Buffer.from(leafHash.slice(2), "hex") } : undefined),
    last: () => (head ? { position: Number(head) } : undefined),
  };
  if (newest) known.check(state, undefined, newest);
}
