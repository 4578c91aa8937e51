import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./ask.ts";
import { initialise, newServer, programs, type Server, urlOf } from "./server.ts";
import { asServerUser } from "./server-user.ts";

/** A primary with standbys, all durable, of which any may take the other's place. */
export interface Cluster {
  /** Of all its servers, whichever is the primary. */
  readonly url: string;
  readonly servers: readonly Server[];
  readonly primary: Server;
  /** Those that follow the primary, or are cut off from it. */
  readonly standbys: readonly Server[];
  /** Kills the server, and everything that it runs, at once. */
  kill(server: Server): Promise<void>;
  /**
   * Makes a standby the primary, after the old one was killed, and lets the others follow it.
   * @param standby absent: the one that has received most, which is the only right one
   */
  promote(standby?: Server): Promise<Server>;
  /** Makes a server, dead or on a history of its own, a new copy of the present primary that follows it. */
  rejoin(server: Server): Promise<void>;
  /** Ends the standby's connection to the primary: it keeps what it has, and receives nothing more. */
  cutOff(standby: Server): Promise<void>;
  /** Lets it follow the present primary again; resolves when it does. */
  reconnect(standby: Server): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly standbys: number;
  /** How many standbys must have what is committed: the beginning of `synchronous_standby_names`. Absent: none. */
  readonly synchronous?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running primary and its standbys. Their processes end, and their folders go, with the process that called this, however that ends. */
export async function startCluster({
  standbys: count,
  synchronous,
  settings = {},
}: ClusterOptions): Promise<Cluster> {
  const made = Array.from({ length: count + 1 }, (_, i) => newServer({ name: `s${i + 1}`, settings }));
  const servers = await Promise.all(made);
  const [first] = servers;
  if (first === undefined) throw new Error("A cluster has at least one server.");
  let primary: Server = first;
  const dead = new Set<Server>();
  const others = () => servers.filter((server) => server !== primary);

  const cluster: Cluster = {
    url: urlOf(servers.map(({ port }) => port)),
    servers,
    get primary() {
      return primary;
    },
    get standbys() {
      return others().filter((server) => !dead.has(server));
    },
    async kill(server) {
      dead.add(server);
      await server.kill();
    },
    async promote(standby) {
      const chosen = standby ?? (await farthest(cluster.standbys));
      primary = chosen;
      // Before it is promoted: else it would take writes that no standby has.
      await waitForStandbys(chosen, synchronous, others());
      await chosen.ask("SELECT pg_promote()");
      for (const other of cluster.standbys) await follow(other, chosen);
      return chosen;
    },
    async rejoin(server) {
      if (!dead.has(server)) await server.kill();
      rmSync(server.data, { recursive: true, force: true });
      await copyRunning(primary, server);
      await server.start();
      dead.delete(server);
      await isFollowed(primary, server);
    },
    async cutOff(standby) {
      await set(standby, "primary_conninfo", NOWHERE);
      await until(
        `${standby.name} is cut off`,
        async () => dead.has(primary) || !(await streams(primary, standby)),
      );
    },
    async reconnect(standby) {
      await follow(standby, primary);
      await isFollowed(primary, standby);
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
  try {
    await initialise(first.data);
    for (const standby of others()) await copyStopped(first, standby);
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(others().map((standby) => isFollowed(first, standby)));
    await waitForStandbys(first, synchronous, others());
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Where nobody answers. Without any address a standby would look for a new one every 5 seconds only. */
const NOWHERE = "host=127.0.0.1 port=1";

/** With `ANY 1` each commit is on one standby, not on every one: only the one that received most has them all. */
async function farthest(standbys: readonly Server[]): Promise<Server> {
  let best: { standby: Server; received: bigint } | undefined;
  for (const standby of standbys) {
    const [row] = await standby.ask<{ bytes: string }>(
      "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0') AS bytes",
    );
    const received = BigInt(row?.bytes ?? 0);
    if (best === undefined || received > best.received) best = { standby, received };
  }
  if (best === undefined) throw new Error("There is no standby to promote.");
  return best.standby;
}

async function waitForStandbys(
  server: Server,
  synchronous: string | undefined,
  standbys: readonly Server[],
): Promise<void> {
  const names = standbys.map(({ name }) => name).join(", ");
  await set(
    server,
    "synchronous_standby_names",
    synchronous === undefined ? "" : `${synchronous} (${names})`,
  );
}

async function follow(standby: Server, primary: Server): Promise<void> {
  await set(standby, "primary_conninfo", connectionTo(primary));
}

/** Changes a setting of a running server; resolves when new connections have it. */
async function set(server: Server, setting: string, value: string): Promise<void> {
  await server.ask(`ALTER SYSTEM SET ${setting} = '${value.replaceAll("'", "''")}'`);
  await server.ask("SELECT pg_reload_conf()");
  await until(`${server.name} has ${setting} = '${value}'`, async () => {
    const [row] = await server.ask<{ now: string }>("SELECT current_setting($1) AS now", [setting]);
    return row?.now === value;
  });
}

function connectionTo({ port }: Server): string {
  return `host=127.0.0.1 port=${port} user=postgres`;
}

async function isFollowed(primary: Server, standby: Server): Promise<void> {
  await until(`${standby.name} follows ${primary.name}`, () => streams(primary, standby));
}

async function streams(primary: Server, standby: Server): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming'";
  return (await primary.ask(sql, [standby.name])).length > 0;
}

/** A server that was never started is copied as files: one `initdb` serves all. */
async function copyStopped(from: Server, to: Server): Promise<void> {
  await asServerUser("cp", ["-R", from.data, to.data]);
  makeStandby(to, from);
}

async function copyRunning(from: Server, to: Server): Promise<void> {
  await asServerUser(programs("pg_basebackup"), [
    "-d",
    connectionTo(from),
    "-D",
    to.data,
    "-c",
    "fast",
    "--no-sync",
  ]);
  makeStandby(to, from);
}

function makeStandby(server: Server, primary: Server): void {
  writeFileSync(join(server.data, "standby.signal"), "");
  appendFileSync(
    join(server.data, "postgresql.auto.conf"),
    `primary_conninfo = '${connectionTo(primary)}'\n`,
  );
}
