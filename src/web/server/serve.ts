import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { LoopControl } from "../../fleet/loop-control.ts";
import type { FleetWatch } from "../../fleet/view.ts";
import type { Project } from "../../project/project.ts";
import { createAccess } from "./access.ts";
import { createApp } from "./app.ts";
import { hostsOf } from "./hosts.ts";
import { readPageFiles } from "./page-files.ts";
import { openPast } from "./past.ts";
import { openLive } from "./stream.ts";

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The host name or address to listen on. */
  readonly host: string;
  readonly readOnly: boolean;
  /** What the page calls a project without a title, such as the name of its folder. */
  readonly name?: string | undefined;
  /** Who looks at the log's servers and hosts; absent for a log that is a file. */
  readonly fleet?: FleetWatch | undefined;
  readonly loops: LoopControl;
}

/** A running panel. */
export interface Panel {
  /** The address to open, with the token. */
  readonly address: string;
  /** The same for every interface that it listens on, `address` first. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** True if no other machine can reach it. */
  readonly isLocal: boolean;
  /** Also ends open streams. */
  close(): Promise<void>;
}

/**
 * Serves the panel of a project. The caller closes the project.
 *
 * @throws Error with a `code` such as `EADDRINUSE`: it cannot listen there
 */
export async function servePanel(
  project: Project,
  { port, host, readOnly, name, fleet, loops }: ServeOptions,
): Promise<Panel> {
  const files = readPageFiles();
  const state: { fetch?: ReturnType<typeof createApp>["fetch"] } = {};
  const server = createAdaptorServer({
    // The app needs the port, which is known once the server listens.
    fetch: (request, env) => state.fetch?.(request, env) ?? new Response(null, { status: 503 }),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // A server on a TCP port has an address of this type.
  const bound = server.address() as AddressInfo;
  const { printed, known, isLocal } = hostsOf(bound, host);
  const access = createAccess({ port: bound.port, hosts: known, readOnly });
  const past = openPast(project);
  const live = openLive(project, readOnly);
  state.fetch = createApp({ project, past, live, access, files, name, fleet, loops }).fetch;
  const addresses = printed.map((name) => `http://${name}/?token=${access.token}`);
  return {
    // Every machine has at least the loopback interface.
    address: addresses[0] ?? "",
    addresses,
    port: bound.port,
    isLocal,
    async close() {
      live.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
      await past.close();
    },
  };
}
