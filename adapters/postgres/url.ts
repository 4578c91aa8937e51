import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { userInfo } from "node:os";
import type { ClientConfig } from "pg";
import { LogError } from "./core.ts";
import { passwordInFile } from "./password-file.ts";

/** A log on PostgreSQL, as its URL names it. */
export interface PostgresPlace {
  /** Where it may be: the first one that takes writes is used. */
  readonly servers: readonly Server[];
  /** The schema of the log, which has a database for itself or shares it with other logs. */
  readonly schema: string;
  /** The URL without its password, to show. */
  readonly shown: string;
  /** The password in the URL; never shown. */
  readonly password: string | undefined;
}

interface Server {
  /** `host:port`, to show. */
  readonly name: string;
  readonly config: ClientConfig;
}

/**
 * Reads `postgres://user@host:5432,host2/database?schema=NAME&sslmode=verify-full`. Hosts may be in brackets (IPv6), or a folder with
 * a socket: `postgres:///database?host=/run/postgresql`. Without a password in it, PGPASSWORD, PGPASSFILE or ~/.pgpass has it; without
 * `sslrootcert`, `sslcert` and `sslkey`, PGSSLROOTCERT, PGSSLCERT and PGSSLKEY are used.
 *
 * @throws LogError `server`: the URL is none, or asks for less than a verified connection to another machine
 */
export function parsePostgresUrl(url: string, variables: NodeJS.ProcessEnv = process.env): PostgresPlace {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)\/([^?#]*)(?:\?([^#]*))?$/.exec(url);
  if (!parts) {
    throw wrong(`It must look like ${EXAMPLE}.`);
  }
  const [, login = "", authority = "", databasePart = "", query = ""] = parts;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!KNOWN.has(name))
      throw wrong(`It has the unknown parameter "${name}". Use some of ${[...KNOWN].join(", ")}.`);
  }
  const [userPart = "", ...passwordParts] = login.split(":");
  const user = decoded(userPart) || variables.PGUSER || userInfo().username;
  const password = passwordParts.length > 0 ? decoded(passwordParts.join(":")) : undefined;
  const database = decoded(databasePart);
  if (database === "") throw wrong(`It names no database; it must look like ${EXAMPLE}.`);
  const hosts = authority === "" ? (parameters.get("host") ?? "localhost") : authority;
  const addresses = hosts.split(",").map((host) => addressOf(host, parameters.get("port")));
  const schema = parameters.get("schema") ?? "signalbox";
  const names = addresses.map(({ name }) => name).join(",");
  const shown = `postgres://${encodeURIComponent(user)}@${names}/${database}?schema=${encodeURIComponent(schema)}`;
  const servers = addresses.map(({ host, port, name }) => ({
    name,
    config: {
      host,
      port,
      database,
      user,
      // Looked up at each connection: a new password needs no restart.
      password: () =>
        password ?? (variables.PGPASSWORD || passwordInFile({ host, port, database, user }, variables) || ""),
      ssl: tlsFor(host, parameters, variables),
    },
  }));
  return { servers, schema, shown, password };
}

const EXAMPLE = "postgres://user@host:5432/database?schema=project&sslmode=verify-full";

const KNOWN: ReadonlySet<string> = new Set([
  "schema",
  "host",
  "port",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
]);

function addressOf(text: string, defaultPort: string | null): { host: string; port: number; name: string } {
  const parts = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text);
  if (!parts) throw wrong(`"${text}" in it is neither a host nor host:port.`);
  const host = decoded(parts[1] ?? parts[2] ?? "") || "localhost";
  const port = Number(parts[3] ?? defaultPort ?? 5432);
  return { host, port, name: `${host.includes(":") ? `[${host}]` : host}:${port}` };
}

/** `verify-full` for every other machine: the log holds what agents write, and a password may go the same way. */
function tlsFor(
  host: string,
  parameters: URLSearchParams,
  variables: NodeJS.ProcessEnv,
): ClientConfig["ssl"] {
  const mode = parameters.get("sslmode");
  if (isThisMachine(host) && (mode === null || mode === "disable")) return false;
  if (mode !== null && mode !== "verify-full") {
    throw wrong(
      isThisMachine(host)
        ? `sslmode=${mode} is not supported. Use sslmode=verify-full, or sslmode=disable for this machine.`
        : `sslmode=${mode} does not verify that ${host} is the server it says it is. Use sslmode=verify-full.`,
    );
  }
  const file = (name: string) => {
    const path = parameters.get(name) ?? variables[`PG${name.toUpperCase()}`];
    // "system" are the roots that the machine trusts, which Node uses without being told.
    return path === undefined || path === "" || path === "system" ? undefined : readNamed(name, path);
  };
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  return {
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

function readNamed(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new LogError(
      "server",
      `The file ${path}, which ${name} names, cannot be read. Correct its path or its rights.`,
      { cause },
    );
  }
}

function isThisMachine(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("It has a % that starts no encoded character; write %25 for a percent sign.");
  }
}

function wrong(what: string): LogError {
  return new LogError("server", `The URL of the log is not valid. ${what}`);
}
