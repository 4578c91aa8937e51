import { loadPostgresLog, loadPostgresOperating, type PostgresOptions } from "../adapters.ts";
import type { Environment } from "../lib/environment.ts";
import { LogError } from "../lib/log-error.ts";
import type { EventLog } from "./log.ts";
import type { LogLocation, LogServer } from "./log-location.ts";
import { auditFile } from "./sqlite-audit.ts";
import { createLogFile } from "./sqlite-file.ts";
import { openSqliteLog } from "./sqlite-log.ts";

/**
 * Opens a log, wherever it is. The one way to open a project's log (docs/decisions/0051).
 *
 * @param options.unasked a server need not answer yet
 * @throws LogError `disk`: there is no log; `damaged`; `newer_schema`; `no_driver`: it is on a PostgreSQL, and `pg` is not installed
 */
export async function openLog(
  location: LogLocation,
  environment: Environment,
  { permit, ...options }: OpenOptions = {},
): Promise<EventLog> {
  const log =
    "url" in location
      ? await openServer(location, environment, options)
      : openSqliteLog(location.path, environment);
  if (permit) askBeforeAppends(log, permit);
  return log;
}

interface OpenOptions extends Pick<PostgresOptions, "unasked"> {
  readonly permit?: Permit | undefined;
}

/**
 * Creates an empty log in a file that only its owner can read; does nothing if it exists. On a server only its operator creates
 * logs: `openLog` says whether there is one.
 *
 * @throws LogError `disk`, `damaged`
 */
export async function createLog(location: LogLocation): Promise<void> {
  if ("path" in location) createLogFile(location.path);
}

/** A log to audit. One in a file is not opened for that: a damaged file may not be one that can be opened. */
export function logToAudit(location: LogLocation, environment: Environment): Pick<EventLog, "audit"> {
  if ("path" in location) {
    return { audit: (work, anyFormat) => auditFile(location.path, work, anyFormat) };
  }
  return {
    async audit(work, anyFormat) {
      const log = await openLog(location, environment);
      try {
        return await log.audit(work, anyFormat);
      } finally {
        await log.close();
      }
    },
  };
}

async function openServer(
  server: LogServer,
  environment: Environment,
  options: Pick<PostgresOptions, "unasked">,
): Promise<EventLog> {
  const { openPostgresLog } = await withDriver(loadPostgresLog);
  return openPostgresLog(server.url, environment, { ...server, ...options });
}

/** What operators do with a log's servers. @throws LogError `no_driver` */
export function operating(): ReturnType<typeof loadPostgresOperating> {
  return withDriver(loadPostgresOperating);
}

/** Loaded lazily: projects with a file need neither it nor `pg`. */
async function withDriver<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  // By itself: the program runs a module, and what that imports, where something of it is first used.
  await import("pg").catch((cause: unknown) => {
    throw isMissing(cause) ? noDriver(cause) : cause;
  });
  return load();
}

/** Node's two ways to say it: of an `import`, and of a `require` in the bundled program. */
function isMissing(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    "code" in cause &&
    (cause.code === "ERR_MODULE_NOT_FOUND" || cause.code === "MODULE_NOT_FOUND") &&
    /^Cannot find (package|module) 'pg'/.test(cause.message)
  );
}

function noDriver(cause: unknown): LogError {
  return new LogError(
    "no_driver",
    "This project's log is on a PostgreSQL, and the package pg is not installed. Run `npm install pg` where signalbox is installed " +
      "(`npm install --global pg` if it is installed globally).",
    { cause },
  );
}

/** Is asked before the first append, until it permits one. @throws LogError: nothing is appended */
type Permit = (log: EventLog) => Promise<void>;

/** Has a log ask before its first append; those after it cost nothing. */
function askBeforeAppends(log: EventLog, permit: Permit): void {
  const append = log.append.bind(log);
  log.append = async (...given) => {
    await permit(log);
    log.append = append;
    return append(...given);
  };
}
