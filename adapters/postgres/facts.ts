import { hostSigns } from "./beats.ts";
import { Connection, LateError } from "./connection.ts";
import { type HostSign, LogError, PROGRAM_LEVEL, ToldError } from "./core.ts";
import { rolesOf } from "./schema.ts";
import { asServerError, noLog, reasonOf } from "./server-error.ts";
import { type PostgresPlace, parsePostgresUrl } from "./url.ts";

/** What is known of a log's servers, as its login sees them. */
export interface ServerFacts {
  /** The log's place, without a password. */
  readonly url: string;
  readonly schema: string;
  readonly servers: readonly ServerState[];
  /** Of the primary. */
  readonly version: string;
  readonly login: string;
  readonly rights: readonly ("host" | "reader" | "owner" | "superuser")[];
  /** The server's setting; empty: an append waits for no standby. */
  readonly synchronous_standby_names: string;
  /** False if the server itself may lose what it has committed. */
  readonly durable: boolean;
  readonly standbys: readonly Standby[];
  /** The signs of life of the log's hosts. */
  readonly hosts: readonly HostSign[];
  readonly head: number;
  readonly epoch: number;
  /** Where the log goes on, in words; null while it goes on here. */
  readonly moved_to: string | null;
  /** The oldest level of programs that may append. */
  readonly level: number;
  /** How far the server's clock is ahead of this machine's; negative: behind. */
  readonly clock_ahead_ms: number;
}

interface ServerState {
  /** `host:port` */
  readonly name: string;
  readonly is: "primary" | "standby" | "away";
  /** Why it cannot be asked. */
  readonly why?: string;
}

interface Standby {
  /** Its application_name. */
  readonly name: string;
  /** `sync` and `quorum` are waited for; `async` and `potential` are not. */
  readonly sync: string;
  /** Bytes of the journal that it has not received yet; null where the login may not see it. */
  readonly behind_bytes: number | null;
}

/** What a log's servers are just now, whether or not they answer. */
export interface ServerSurvey {
  /** The log's place, without a password. */
  readonly url: string;
  readonly servers: readonly ServerState[];
  /** What the primary says; null if no server takes appends, or the primary refuses. */
  readonly facts: ServerFacts | null;
  readonly faults: readonly ServerFault[];
}

/**
 * Asks every server of a log, once: what none of them answers is a fault like others.
 *
 * @param now_ms this machine's clock
 * @param patience_ms how long a server has to answer, and then the primary to tell the rest
 * @throws LogError `server`: the URL is not one of a log
 */
export async function surveyServers(
  url: string,
  now_ms: () => number,
  patience_ms: number,
): Promise<ServerSurvey> {
  const place = parsePostgresUrl(url);
  let all: readonly AskedServer[] = [];
  const question: Question<ServerFacts> = async (asked) => {
    all = asked;
    return factsOf(primaryOf(asked, place), { place, servers: asked.map(stateOf), now_ms });
  };
  try {
    const facts = await askServers(place, question, patience_ms);
    return { url: place.shown, servers: all.map(stateOf), facts, faults: serverFaults(facts) };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return { url: place.shown, servers: all.map(stateOf), facts: null, faults: [faultOf(error, all)] };
  }
}

/**
 * Asks every server of a log, once, and waits for none.
 *
 * @param now_ms this machine's clock
 * @throws LogError `busy`: none of them is the primary, or the primary is away; `server`: there is no log, or the login is refused
 */
export function lookAtServers(url: string, now_ms: () => number): Promise<ServerFacts> {
  const place = parsePostgresUrl(url);
  return askServers(place, async (asked) =>
    factsOf(primaryOf(asked, place), { place, servers: asked.map(stateOf), now_ms }),
  );
}

/**
 * Asks the primary something, once, and waits for none.
 *
 * @throws LogError `busy`: none of the servers is the primary; what the primary answers, as LogError
 */
export function askPrimary<T>(
  place: PostgresPlace,
  question: (primary: Connection) => Promise<T>,
): Promise<T> {
  return askServers(place, (asked) => question(primaryOf(asked, place)));
}

interface AskedServer extends ServerState {
  readonly connection?: Connection;
  readonly error?: LogError;
}

type Question<T> = (asked: readonly AskedServer[]) => Promise<T>;

/** @param patience_ms how long the question may take once the servers have answered; absent: as long as it takes */
async function askServers<T>(place: PostgresPlace, question: Question<T>, patience_ms?: number): Promise<T> {
  const asked = await Promise.all(
    place.servers.map((server) => ask(place, server, patience_ms ?? CONNECT_MS)),
  );
  const waits = asked.map(({ connection }) => patience_ms && connection?.giveUpAfter(patience_ms));
  try {
    return await question(asked);
  } catch (cause) {
    throw cause instanceof ToldError ? cause : asServerError(cause, place);
  } finally {
    for (const stopWaiting of waits) if (stopWaiting) stopWaiting();
    for (const { connection } of asked) connection?.close();
  }
}

async function ask(
  place: PostgresPlace,
  server: PostgresPlace["servers"][number],
  patience_ms: number,
): Promise<AskedServer> {
  const { name } = server;
  try {
    const connection = await Connection.open(place, server, patience_ms);
    const stopWaiting = connection.giveUpAfter(patience_ms);
    try {
      const { rows } = await connection.query("SELECT pg_is_in_recovery()");
      return { name, is: rows[0]?.[0] === "t" ? "standby" : "primary", connection };
    } catch (cause) {
      connection.destroy();
      throw cause;
    } finally {
      stopWaiting();
    }
  } catch (cause) {
    const error = asServerError(cause, place);
    return { name, is: "away", why: reasonOf(error), error };
  }
}

function stateOf({ connection: _, error: __, ...state }: AskedServer): ServerState {
  return state;
}

/** @throws LogError `busy`: none of the servers is the primary; what the servers answer */
function primaryOf(asked: readonly AskedServer[], place: PostgresPlace): Connection {
  const primary = asked.find(({ is }) => is === "primary")?.connection;
  if (!primary) throw noPrimary(asked, place);
  return primary;
}

const CONNECT_MS = 3_000;

function noPrimary(asked: readonly AskedServer[], { shown }: PostgresPlace): LogError {
  const refused = asked.find(({ error }) => error !== undefined)?.error;
  if (refused && (asked.length === 1 || refused.code !== "busy")) return refused;
  const states = asked.map(({ name, is }) => `${name} is ${is === "away" ? "away" : `a ${is}`}`).join(", ");
  return new LogError(
    "busy",
    `No server of ${shown} takes appends: ${states}. If the primary is dead, run \`signalbox fleet promote\`.`,
  );
}

/** @throws LogError */
async function factsOf(
  connection: Connection,
  {
    place,
    servers,
    now_ms,
  }: {
    readonly place: PostgresPlace;
    readonly servers: readonly ServerState[];
    readonly now_ms: () => number;
  },
): Promise<ServerFacts> {
  const { schema } = connection;
  const before_ms = now_ms();
  const { rows } = await connection.query(
    `SELECT to_regclass($1 || '.about') IS NOT NULL, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
         current_setting('server_version'), session_user, current_setting('synchronous_standby_names'),
         current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
         (SELECT rolsuper FROM pg_roles WHERE rolname = session_user)`,
    [schema],
  );
  const middle_ms = (before_ms + now_ms()) / 2;
  const [isLog, clock_ms, version, login, names, durable, isSuperuser] = rows[0] ?? [];
  if (isLog !== "t") throw noLog(place);
  const { owner, host, reader } = rolesOf(place.schema);
  const about = await connection.query(
    `SELECT a.epoch, a.level, a.moved_to, (SELECT coalesce(max(position), 0) FROM ${schema}.events),
         pg_has_role(session_user, $1, 'MEMBER'), pg_has_role(session_user, $2, 'MEMBER'), pg_has_role(session_user, $3, 'MEMBER')
       FROM ${schema}.about a`,
    [owner, host, reader],
  );
  const [epoch, level, movedTo, head, isOwner, isHost, isReader] = about.rows[0] ?? [];
  const rights = [
    ...(isSuperuser === "t" ? (["superuser"] as const) : []),
    ...(isOwner === "t" ? (["owner"] as const) : []),
    ...(isHost === "t" ? (["host"] as const) : []),
    ...(isReader === "t" ? (["reader"] as const) : []),
  ];
  return {
    url: place.shown,
    schema: place.schema,
    servers,
    version: version ?? "",
    login: login ?? "",
    rights,
    synchronous_standby_names: names ?? "",
    durable: durable === "t",
    standbys: await standbysOf(connection),
    hosts: await hostSigns(connection),
    head: Number(head),
    epoch: Number(epoch),
    moved_to: movedTo ?? null,
    level: Number(level),
    clock_ahead_ms: Math.round(Number(clock_ms) - middle_ms),
  };
}

async function standbysOf(connection: Connection): Promise<Standby[]> {
  const { rows } = await connection.query(`SELECT name, sync, behind FROM ${connection.schema}.standbys()`);
  return rows.map(([name, sync, behind]) => ({
    name: name ?? "",
    sync: sync ?? "",
    behind_bytes: behind === null || behind === undefined ? null : Number(behind),
  }));
}

/** Something about a log's servers that breaks a promise. */
export interface ServerFault {
  readonly what: "away" | "refused" | "no_standby" | "not_durable" | "rights" | "clock" | "level";
  readonly found: string;
  readonly mend: string;
}

/** What a log's operator must mend; empty if all promises hold (docs/fleet.md). */
export function serverFaults(facts: ServerFacts): ServerFault[] {
  return FAULTS.flatMap((look) => look(facts) ?? []);
}

/** That no primary has answered: it is away, or it refuses. */
function faultOf({ code, message }: LogError, servers: readonly AskedServer[]): ServerFault {
  if (code !== "busy")
    return { what: "refused", found: message.replace(/\.$/, ""), mend: "Follow that advice." };
  if (servers.some(({ is }) => is === "primary")) {
    return {
      what: "away",
      found: "the primary answers, but not in time",
      mend: "Check what keeps it busy: its load, its disk, a lock.",
    };
  }
  const states = servers.map(
    ({ name, is, why }) =>
      `${name} is ${is === "away" ? is : `a ${is}`}${why === undefined ? "" : ` (${why})`}`,
  );
  // One that is only late may be the primary.
  const isLate = servers.some(({ error }) => error?.cause instanceof LateError);
  return {
    what: "away",
    found: `${isLate ? "the primary did not answer in time" : "no server takes appends, so nothing is recorded"}: ${states.join(", ")}`,
    mend:
      servers.length > 1
        ? "Start the primary again. If it is dead for good, run `signalbox fleet promote`."
        : "Start it again, or mend the way to it.",
  };
}

const CLOCK_LIMIT_MS = 60_000;

const FAULTS: readonly ((facts: ServerFacts) => ServerFault | undefined)[] = [
  ({ synchronous_standby_names, standbys }) => {
    if (synchronous_standby_names === "") {
      return {
        what: "no_standby",
        found: "appends wait for no standby: what is recorded is lost with the primary's disk",
        mend: "Set up two standbys, then set synchronous_standby_names on the primary, as in 'ANY 1 (a, b)'.",
      };
    }
    return standbys.some(({ sync }) => sync === "sync" || sync === "quorum")
      ? undefined
      : {
          what: "no_standby",
          found: "no standby is connected, so nothing is recorded",
          mend: "Start a standby that synchronous_standby_names names.",
        };
  },
  ({ durable }) =>
    durable
      ? undefined
      : {
          what: "not_durable",
          found: "the server runs with fsync or full_page_writes off: a power cut may damage the log",
          mend: "Set fsync = on and full_page_writes = on.",
        },
  ({ rights, login }) => {
    const wide = rights.includes("superuser")
      ? "is a superuser"
      : rights.includes("owner")
        ? "owns the log"
        : undefined;
    if (wide === undefined) return undefined;
    return {
      what: "rights",
      found: `the login ${login} ${wide}: whatever runs on this host can change the log`,
      mend: "Use a login of its own for each host, with the role that `signalbox fleet create` names.",
    };
  },
  ({ clock_ahead_ms }) =>
    Math.abs(clock_ahead_ms) < CLOCK_LIMIT_MS
      ? undefined
      : {
          what: "clock",
          found: `the server's clock, which gives events their times, is ${minutes(clock_ahead_ms)} than this machine's`,
          mend: "Set the clock that is wrong; events that have a time of the future keep it.",
        },
  ({ level }) =>
    level <= PROGRAM_LEVEL
      ? undefined
      : {
          what: "level",
          found: `the log takes programs of level ${level} and later; this one has level ${PROGRAM_LEVEL}`,
          mend: "Update signalbox here.",
        },
];

function minutes(ms: number): string {
  return `${Math.round(Math.abs(ms) / 60_000)} minutes ${ms > 0 ? "later" : "earlier"}`;
}
