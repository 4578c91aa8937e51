import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a project's log is: a SQLite file, or a PostgreSQL. */
export type LogLocation = LogFile | LogServer;

/** A log in a SQLite file. */
interface LogFile {
  readonly path: string;
}

/** A log on a PostgreSQL that several hosts share. */
export interface LogServer {
  /** `postgres://USER@HOST[,HOST2]:5432/DATABASE?schema=NAME&sslmode=verify-full` */
  readonly url: string;
  /** How long an append waits for a primary before it fails. */
  readonly patience_ms?: number | undefined;
  /** The file in which this host keeps what it was answered. */
  readonly acknowledged?: string | undefined;
}

/** Names the log's URL, above `log.url` in `.ralph/config.json`; agents and gates never get it. */
export const LOG_URL_VARIABLE = "SIGNALBOX_LOG_URL";

/** The file that holds the log of a project without a server: it lies beside the read model. */
export function logPathBeside(readModelPath: string): string {
  return join(dirname(readModelPath), "events.db");
}

/** Whether there may be a log to open: a server says so only when it is opened. */
export function logExists(location: LogLocation): boolean {
  return "url" in location || existsSync(location.path);
}

/** The location for people: a path, or a URL without its password. */
export function describeLocation(location: LogLocation): string {
  return "url" in location ? withoutPassword(location.url) : location.path;
}

/** Why a URL cannot be that of a log, as the end of a sentence that begins with its name; it quotes no part of the URL. */
export function urlFault(url: string): string | undefined {
  const isUrl = /^postgres(ql)?:\/\/[^\s\p{Cc}]+$/u.test(url);
  return isUrl ? undefined : "must be postgres://USER@HOST:5432/DATABASE?schema=NAME";
}

/** A URL, or a text around one, as it may be printed. */
export function withoutPassword(url: string): string {
  return url.replace(IN_FRONT, "$1@").replace(IN_QUERY, "$1…");
}

export function hasPassword(url: string): boolean {
  return withoutPassword(url) !== url;
}

/** An environment for programs that must not know the log's password. */
export function withoutLogUrl<Value>(
  environment: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const { [LOG_URL_VARIABLE]: _, ...others } = environment;
  return others;
}

/** The same for programs that never open the log: without what else names its login to PostgreSQL's clients. */
export function withoutLogPassword<Value>(
  environment: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const {
    PGPASSWORD: _,
    PGPASSFILE: _file,
    PGSSLCERT: _certificate,
    PGSSLKEY: _key,
    ...others
  } = environment;
  return withoutLogUrl(others);
}

/**
 * The files that may hold what lets a program open the log, as the environment, the log's URL or nothing names them.
 *
 * @param configured `log.url`
 */
export function logPasswordFiles(
  {
    PGPASSFILE: password,
    PGSSLKEY: key,
    HOME: home,
    [LOG_URL_VARIABLE]: url,
  }: Readonly<Record<string, string | undefined>>,
  configured: string | undefined,
): string[] {
  const own = home ? `${home}/.pgpass` : undefined;
  const files = [password || own, key, ...[url, configured].map(keyIn)];
  return files.flatMap((file) => (file ? [file] : []));
}

/** The client key that a URL names. */
function keyIn(url = ""): string | null {
  const [, query] = /\?([^#]*)/.exec(url) ?? [];
  return new URLSearchParams(query).get("sslkey");
}

/**
 * `USER:PASSWORD@`. Up to the last `@` of all, since a password may hold any character that its author forgot to encode.
 */
const IN_FRONT = /([a-z]+:\/\/[^:@/?#\s]*):.*@/is;

/** The settings of libpq and of node-postgres that hold a secret. */
const IN_QUERY = /([?&](?:password|sslpassword|oauth_client_secret)=)[^&#\s"]+/gi;
