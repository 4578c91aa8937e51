import { inject, onTestFinished } from "vitest";
import { whyMissing } from "../needs.ts";
import { type Cluster, type ClusterOptions, startCluster } from "./cluster.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";

/** The run's server. @throws where there is none, with what to install */
export function sharedServer(): string {
  return shared().url;
}

/** The URL of a schema that is not there yet, on the run's server, which keeps nothing over a power cut. */
export function freshSchema(): string {
  const { url, prefix } = shared();
  const schema = new URL(url);
  schema.searchParams.set("schema", `${prefix}_${process.pid}_${++schemas}`);
  return schema.href;
}

/** A server of this test's own. */
export async function givenServer(options?: ServerOptions): Promise<Server> {
  const server = await startServer(options);
  onTestFinished(() => server.stop());
  return server;
}

/** Servers of this test's own. */
export async function givenCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

let schemas = 0;

function shared(): { readonly url: string; readonly prefix: string } {
  const server = inject("postgres");
  if (server === undefined)
    throw new Error(whyMissing("postgresql") ?? "The project `postgres` has no server.");
  return server;
}
