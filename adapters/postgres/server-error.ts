import { LogError } from "./core.ts";
import { quoted } from "./schema.ts";
import type { PostgresPlace } from "./url.ts";

const PROMOTE = " If the primary is dead, `signalbox fleet promote` puts a standby in its place.";

/** True where the server may answer again soon: it is away, starts, stops, is no primary, or has no room for a connection. */
export function isPassing(error: unknown): boolean {
  const { code, message } = partsOf(error);
  return (
    PASSING.has(code) ||
    /^(08|57P)/.test(code) ||
    /^(Connection terminated|Client has encountered|timeout expired|Connection ended)/.test(message)
  );
}

const PASSING: ReadonlySet<string> = new Set([
  // Of the network.
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOENT",
    "EHOSTDOWN",
  ],
  // Too many connections, read-only transaction, deadlock, cancelled by the operator.
  ...["53300", "25006", "40P01", "40001", "57014"],
]);

/**
 * An error of the server or the way to it as one of the log. Its sentences hold no password.
 */
export function asServerError(cause: unknown, place: PostgresPlace): LogError {
  if (cause instanceof LogError) return cause;
  const { code, message, detail } = partsOf(cause);
  const told = place.password ? message.replaceAll(place.password, "…") : message;
  const { shown, schema } = place;
  const options = { cause: place.password && message.includes(place.password) ? undefined : cause };
  if (isPassing(cause)) {
    return new LogError(
      "busy",
      `The log's server is away (${shown}: ${told}). Nothing was recorded; try again when it answers.${place.servers.length > 1 ? PROMOTE : ""}`,
      options,
    );
  }
  if (/^ERR_SSL_.*ALERT/.test(code)) {
    // RFC 8446, section 6.2: which one depends on the authorities' names.
    const alert = /alert ([a-z ]+)/.exec(told)?.[1] ?? code;
    return new LogError(
      "server",
      `The log's server refuses the connection (${shown}: ${alert}): it does not accept the client certificate. Name one of an authority that it knows with sslcert and sslkey.`,
      options,
    );
  }
  // pg says it of a missing password.
  switch (message.startsWith("SASL") ? "28P01" : code) {
    case "28P01":
    case "28000":
      return new LogError(
        "server",
        `The log's server refuses the login (${shown}: ${told}). Put the password into ~/.pgpass, or name a client certificate with sslcert and sslkey.`,
        options,
      );
    case "3D000":
      return new LogError(
        "server",
        `There is no such database (${shown}). Correct the log's URL, or create the database.`,
        options,
      );
    case "42501":
      return new LogError(
        "server",
        `This login lacks a right on the log (${shown}: ${told}). Let the operator grant it the role "${schema}_host", or "${schema}_owner" for restores and redactions.`,
        options,
      );
    case "3F000":
    case "42P01":
    case "42883":
      return noLog(place);
    case "SB001":
      return new LogError(
        "newer_schema",
        `This log is written by newer versions of signalbox than this one (${shown}: ${told}). Update signalbox here.`,
        options,
      );
    case "SB002":
      return new LogError(
        "host_lost",
        "This host was declared lost, and has begun again since; what belongs to its earlier life may not go on. End it.",
        options,
      );
    case "SB003":
      return movedElsewhere(place, message);
    case "SB004":
      return new LogError(
        "server",
        `The login "${message}" gives the signs of life of this host, so the login of ${shown} may not. Use that login here. If this folder ` +
          `changed its login for good, let the log's owner run: UPDATE ${quoted(schema)}.hosts SET login = NULL WHERE host = '${detail}';`,
        options,
      );
    case "53100":
      return new LogError(
        "disk",
        `The disk of the log's server is full (${shown}). Make room there, then try again.`,
        options,
      );
    case "XX001":
    case "XX002":
      return new LogError(
        "damaged",
        `The log's server finds its files damaged (${shown}: ${told}). Restore a backup, or promote a standby.`,
        options,
      );
    default:
      return new LogError("server", `The log's server refused (${shown}: ${told}).`, options);
  }
}

/** Why a server does not answer, in the words of whoever said it, and without a password. */
export function reasonOf({ cause, message }: LogError): string {
  return (cause === undefined ? "" : partsOf(cause).message) || message;
}

/** The least version of PostgreSQL. */
const OLDEST = 14;

/** @param version as `server_version_num` @throws LogError `server` */
export function refuseOldServer(version: string | null | undefined, { shown }: PostgresPlace): void {
  const major = Math.floor(Number(version) / 10_000);
  if (major >= OLDEST) return;
  throw new LogError(
    "server",
    `The log's server is PostgreSQL ${major} (${shown}). Use PostgreSQL ${OLDEST} or later.`,
  );
}

/** The error for a database or schema without a log. */
export function noLog({ shown, schema }: PostgresPlace): LogError {
  return new LogError(
    "server",
    `There is no log in the schema "${schema}" (${shown}). Correct the log's URL, or create the log with \`signalbox fleet create\`.`,
  );
}

/** The error for a log that goes on elsewhere. @param to in words, as `endPostgresLog` keeps them */
export function movedElsewhere({ shown }: PostgresPlace, to: string): LogError {
  return new LogError(
    "moved_to",
    `The log ${shown} was moved to ${to}; nothing is recorded on the server any more. Work in that folder: only one host works on a file. ` +
      "If `signalbox fleet leave` was interrupted there, run it again. To share the log again, make another one with " +
      "`signalbox fleet create`, and run `signalbox fleet move` there.",
  );
}

function partsOf(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly detail: string;
} {
  if (!(error instanceof Error)) return { code: "", message: String(error), detail: "" };
  // A connection to a name with several addresses fails with the errors of each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message, detail } = (first instanceof Error ? first : error) as Error & {
    readonly code?: unknown;
    readonly detail?: unknown;
  };
  return {
    code: typeof code === "string" ? code : "",
    message,
    detail: typeof detail === "string" ? detail : "",
  };
}
