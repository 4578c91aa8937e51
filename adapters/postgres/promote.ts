import pg, { type Client } from "pg";
import { LogError } from "./core.ts";
import { parsePostgresUrl } from "./url.ts";

/** `promote` by a URL that names all servers, with a login that is a superuser. @throws LogError */
export async function promoteStandby(url: string): Promise<Promoted> {
  const { servers } = parsePostgresUrl(url);
  return promote(
    servers.map(({ name, config }) => ({
      name,
      async connect() {
        const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_MS });
        // Without a listener, an error ends the process.
        client.on("error", () => {});
        await client.connect();
        return client;
      },
    })),
  );
}

const CONNECT_MS = 5_000;

/** A server, as an operator reaches it: with the rights of a superuser. */
export interface Server {
  /** Host and port, for people. */
  readonly name: string;
  /** @throws Error: it cannot be asked */
  connect(): Promise<Client>;
}

export interface Promoted {
  /** The server that takes appends from now on. */
  readonly name: string;
  /** How many standbys follow it; appends wait until there is one. */
  readonly standbys: number;
  /** The logs on it, by their schemas, with the new epoch of each. */
  readonly logs: readonly { readonly schema: string; readonly epoch: number }[];
}

/**
 * Makes the standby that has received most the primary, when the primary is dead. What was answered is on the primary and on at least one
 * standby, so only the standby that has received most is sure to have it: all must be asked.
 *
 * @param servers all of them, the dead primary too
 * @throws LogError `disk`: a server still takes appends, or more than one cannot be asked; nothing was changed
 */
export async function promote(servers: readonly Server[]): Promise<Promoted> {
  const asked = await Promise.all(servers.map(ask));
  try {
    const standbys = asked.filter((one): one is Standby => one.client !== undefined);
    checkMayPromote(asked, standbys);
    const [first, ...others] = [...standbys].sort((a, b) => Number(b.received - a.received));
    if (!first) throw unable(`None of ${names(asked)} can be asked. Start a standby.`);
    // Before it takes appends, so that no append is answered that it alone has.
    await wantStandby(first.client);
    await first.client.query("SELECT pg_promote(true, 60)");
    for (const other of others) await follow(other.client, first);
    return { name: first.name, standbys: others.length, logs: await raiseEpochs(first.client) };
  } finally {
    for (const { client } of asked) await client?.end().catch(() => {});
  }
}

interface Candidate {
  readonly name: string;
  readonly client?: Client | undefined;
  readonly isStandby: boolean;
}

interface Standby extends Candidate {
  readonly client: Client;
  /** How many bytes of the primary's journal it has received, durably. */
  readonly received: bigint;
  readonly isSuperuser: boolean;
}

async function ask({ name, connect }: Server): Promise<Candidate | Standby> {
  let client: Client;
  try {
    client = await connect();
  } catch {
    return { name, isStandby: false };
  }
  const { rows } = await client.query<{ standby: boolean; superuser: boolean; received: string | null }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('is_superuser') = 'on' AS superuser,
       CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(
         greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0') END AS received`,
  );
  const [row] = rows;
  return {
    ...{ name, client },
    isStandby: row?.standby ?? false,
    isSuperuser: row?.superuser ?? false,
    received: BigInt(row?.received ?? 0),
  };
}

function checkMayPromote(asked: readonly Candidate[], reached: readonly Standby[]): void {
  const weak = reached.filter(({ isSuperuser }) => !isSuperuser);
  if (weak.length > 0)
    throw unable(
      `The login is no superuser on ${names(weak)}. Name one that is: it changes the servers' settings.`,
    );
  const primary = reached.find(({ isStandby }) => !isStandby);
  if (primary)
    throw unable(
      `${primary.name} takes appends: there is no need to promote a standby. To move over to another server, stop ${primary.name} first.`,
    );
  const silent = asked.filter(({ client }) => client === undefined);
  if (silent.length > 1)
    throw unable(
      `${names(silent)} cannot be asked. Only the primary may be missing: a standby that cannot be asked may be the one that has what was last answered. Start it, then promote.`,
    );
  if (silent.length === 0 || asked.length < 2)
    throw unable("Name all servers of the log, the dead primary too, as in `log.url`.");
}

function names(servers: readonly Candidate[]): string {
  return servers.map(({ name }) => name).join(" and ");
}

/** An operator's own names stay. */
async function wantStandby(client: Client): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    "SELECT current_setting('synchronous_standby_names') AS names",
  );
  if (rows[0]?.names) return;
  await client.query("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
  await client.query("SELECT pg_reload_conf()");
}

/** Makes a standby follow the new primary, with all else that it connects by. */
async function follow(client: Client, primary: Standby): Promise<void> {
  const { rows } = await client.query<{ conninfo: string }>(
    "SELECT current_setting('primary_conninfo') AS conninfo",
  );
  const rest = (rows[0]?.conninfo ?? "").replace(/\b(host|hostaddr|port)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)/g, "");
  const conninfo = `${rest.trim()} host=${primary.client.host} port=${primary.client.port}`;
  await client.query(`ALTER SYSTEM SET primary_conninfo = ${client.escapeLiteral(conninfo)}`);
  await client.query("SELECT pg_reload_conf()");
}

/** Waits, as each durable commit does, until a standby has it. */
async function raiseEpochs(client: Client): Promise<Promoted["logs"]> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = 'about' AND EXISTS (SELECT 1 FROM pg_class e WHERE e.relnamespace = n.oid AND e.relname = 'waiting')
     ORDER BY 1`,
  );
  const logs: { schema: string; epoch: number }[] = [];
  for (const { schema } of rows) {
    const raised = await client.query<{ epoch: number }>(
      `UPDATE ${client.escapeIdentifier(schema)}.about SET epoch = epoch + 1 RETURNING epoch`,
    );
    logs.push({ schema, epoch: raised.rows[0]?.epoch ?? 0 });
  }
  return logs;
}

function unable(message: string): LogError {
  return new LogError("disk", message);
}
