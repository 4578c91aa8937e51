import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "./ask.ts";
import { authorityOf, clientFiles, makeCertificates, tlsSettings } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { killServer } from "./processes.ts";
import { findPrograms } from "./programs.ts";
import { asServerUser, serverUser } from "./server-user.ts";

/** A PostgreSQL server in a folder of its own, on 127.0.0.1 and on a socket in that folder. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly data: string;
  /** As superuser, with the password, if the server asks for one. */
  readonly url: string;
  ask<Row extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Starts it on the data that it has, and waits until it answers. */
  start(): Promise<void>;
  /** Kills the postmaster and all its processes at once, with SIGKILL. The data stay. */
  kill(): Promise<void>;
  /** Ends it, where it runs, and removes its folder. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly name?: string;
  /** Lines of postgresql.conf beside those that every test server has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The password of the superuser `postgres`; absent: the server trusts everybody on this machine. */
  readonly password?: string;
  /**
   * Whether it takes TLS alone, with a certificate by an authority of its own, which `url` names. `clients`: it also wants a certificate of
   * each login; `url` names that of the superuser.
   */
  readonly tls?: boolean | "clients";
}

/** A running server with an empty database. Its process ends, and its folder goes, with the process that called this, however that ends. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const server = await newServer(options);
  try {
    await initialise(server.data, options.password);
    if (options.tls) await makeCertificates(server.folder, server.data, options.tls === "clients");
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A server that has no data yet: its folder and port. */
export async function newServer({
  name = "signalbox",
  settings = {},
  password,
  tls = false,
}: ServerOptions): Promise<Server> {
  const control = programs("pg_ctl");
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pg-"));
  if (serverUser !== undefined) chownSync(folder, serverUser.uid, serverUser.gid);
  chmodSync(folder, 0o700);
  const [data, port] = [join(folder, "data"), await freePort()];
  const keeper = keep(control, folder, data);
  const { cert, key } = clientFiles(folder, "postgres");
  const secure = new URLSearchParams({
    ...(tls && { sslmode: "verify-full", sslrootcert: authorityOf(folder) }),
    ...(tls === "clients" && { sslcert: cert, sslkey: key }),
  });
  const url = urlOf([port], password) + (tls ? `?${secure}` : "");
  const pidFile = join(data, "postmaster.pid");
  const all = {
    ...ALWAYS,
    ...(tls ? tlsSettings(folder) : {}),
    ...settings,
    port: String(port),
    unix_socket_directories: folder,
    cluster_name: name,
  };
  const server: Server = {
    name,
    port,
    folder,
    data,
    url,
    ask: (sql, values) => ask(url, sql, values),
    async start() {
      writeFileSync(join(data, "signalbox.conf"), linesOf(all));
      const configuration = join(data, "postgresql.conf");
      const include = "include 'signalbox.conf'\n";
      if (!readFileSync(configuration, "utf8").endsWith(include)) appendFileSync(configuration, include);
      const log = join(folder, "log");
      await asServerUser(control, ["start", "-w", "-s", "-D", data, "-l", log]).catch((error) => {
        throw new Error(`${error.message}\n${existsSync(log) ? readFileSync(log, "utf8") : ""}`);
      });
    },
    async kill() {
      await killServer(data);
      rmSync(join(folder, `.s.PGSQL.${port}.lock`), { force: true });
    },
    async stop() {
      if (existsSync(pidFile)) await server.kill();
      keeper.end();
      await keeper.gone;
    },
  };
  return server;
}

/** Makes the files of an empty server. */
export async function initialise(data: string, password?: string): Promise<void> {
  const file = `${data}.password`;
  if (password !== undefined) writeFileSync(file, password, { mode: 0o644 });
  const rule = password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${file}`];
  await asServerUser(programs("initdb"), [
    "-D",
    data,
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--no-sync",
    "--no-locale",
    ...rule,
  ]);
  rmSync(file, { force: true });
}

/** The URL of servers on this machine, in the order in which they are to be tried. */
export function urlOf(ports: readonly number[], password?: string): string {
  const user = password === undefined ? "postgres" : `postgres:${encodeURIComponent(password)}`;
  return `postgres://${user}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres`;
}

/** The path of one of the server's programs. @throws where the machine has none */
export function programs(name: string): string {
  const folder = findPrograms();
  if (folder === undefined)
    throw new Error("Found no programs of PostgreSQL. Install the package postgresql.");
  return join(folder, name);
}

/** What every server for tests has: small, so that several fit on one machine, and quick to notice each other. */
const ALWAYS = {
  listen_addresses: "127.0.0.1",
  max_connections: "400",
  shared_buffers: "32MB",
  wal_keep_size: "256MB",
  wal_retrieve_retry_interval: "100ms",
  logging_collector: "off",
};

function linesOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join("");
}

/**
 * A process that waits until the pipe from this one closes, ends the server and removes its folder: after `end`, or when this
 * process dies, were it by SIGKILL. It has a session of its own, so that Ctrl-C does not reach it.
 */
export function keep(
  control: string,
  folder: string,
  data: string,
): { end(): void; readonly gone: Promise<unknown> } {
  // One that is being killed here may be stopped, and would not hear that it is to end.
  const script =
    'read -r _; kill -CONT "$(head -n 1 "$2/postmaster.pid")" 2>&-; "$1" stop -s -m immediate -D "$2" 2>&-; rm -rf "$3"';
  const keeper = spawn("sh", ["-c", script, "sh", control, data, folder], {
    ...serverUser,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return { end: () => keeper.stdin.end(), gone: once(keeper, "close") };
}
