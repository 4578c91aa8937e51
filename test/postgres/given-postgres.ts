import pg from "pg";
import { onTestFinished } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { openPostgresLog, type PostgresOptions } from "../../adapters/postgres/postgres-log.ts";
import type { OpenLog } from "../../adapters/testing/log-contract/opened-log.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { openedHandles } from "../events/opened-handles.ts";
import { ask } from "../support/postgres/ask.ts";
import { freshSchema } from "../support/postgres/given.ts";

/**
 * Opens cases on one schema, which is emptied for each: to make one takes 0.3 s.
 *
 * @param schema gives the URL of a schema that is not there yet
 */
export function openOnServer(schema: () => string): OpenLog {
  let created: Promise<string> | undefined;
  const create = async () => {
    const url = schema();
    await createPostgresLog(url);
    return url;
  };
  return async (environment) => {
    created ??= create();
    const url = await created;
    await emptyLog(url);
    return openedHandles(() => openPostgresLog(url, environment(), { ownClock: true }));
  };
}

/** The name of the schema that a log's URL names, quoted. */
export function schemaOf(url: string): string {
  return `"${new URL(url).searchParams.get("schema")}"`;
}

/** Empties a log as nobody may but a superuser, with its triggers off. */
async function emptyLog(url: string): Promise<void> {
  const schema = schemaOf(url);
  await ask(
    url,
    `SET session_replication_role = replica; TRUNCATE ${schema}.events, ${schema}.waiting, ${schema}.hosts`,
  );
}

/** The URL of a new, empty log, on the run's server if on no other. */
export async function givenLog(server?: { readonly url: string }): Promise<string> {
  const url = new URL(freshSchema());
  if (server) url.host = new URL(server.url).host;
  await createPostgresLog(url.href);
  return url.href;
}

/** Opens a log until the test ends. */
export async function openForTest(url: string, options?: PostgresOptions): Promise<EventLog> {
  const log = await openPostgresLog(url, systemEnvironment(), options);
  onTestFinished(() => log.close());
  return log;
}

/** The URL of the same log for another login, who has one of its roles. */
export async function loginAs(url: string, role: "owner" | "host" | "reader"): Promise<string> {
  const name = new URL(url).searchParams.get("schema");
  const login = `${name}_a_${role}`;
  await ask(url, `CREATE ROLE "${login}" LOGIN IN ROLE "${name}_${role}"`);
  const other = new URL(url);
  other.username = login;
  return other.href;
}

/** Keeps every append of a log waiting, until the test ends at the latest. */
export async function holdLock(url: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SELECT pg_advisory_lock(${schemaOf(url)}.lock_key())`);
  let ended: Promise<void> | undefined;
  const release = () => {
    ended ??= client.end();
    return ended;
  };
  onTestFinished(release);
  return { release };
}
