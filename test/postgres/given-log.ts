import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import type { PostgresOptions } from "../../adapters/postgres/postgres-log.ts";
import type { EventLog } from "../../src/events/log.ts";
import type { Cluster } from "../support/postgres/cluster.ts";
import { givenCluster } from "../support/postgres/given.ts";
import type { Server } from "../support/postgres/server.ts";
import { openForTest } from "./given-postgres.ts";

/** A log with two standbys, of which one must have each event. */
export async function givenFleet(): Promise<{ readonly cluster: Cluster; readonly url: string }> {
  const cluster = await givenCluster({ standbys: 2, synchronous: "ANY 1" });
  const url = `${cluster.url}?schema=fleet`;
  await createPostgresLog(url);
  return { cluster, url };
}

/** Handles on one log, which are closed after the test. */
export function givenHandles(url: string, count: number, options?: PostgresOptions): Promise<EventLog[]> {
  return Promise.all(Array.from({ length: count }, () => openForTest(url, options)));
}

/** The two standbys of a fleet. */
export function standbysOf({ standbys }: Cluster): readonly [Server, Server] {
  const [one, other] = standbys;
  if (!one || !other) throw new Error("The cluster has less than two standbys.");
  return [one, other];
}

/** Backends that have committed, and wait for a standby to have it. */
export async function waitingForStandby(server: Server): Promise<number> {
  return (await server.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).length;
}
