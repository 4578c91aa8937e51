import type { AddressInfo, Server } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { createAccess } from "../../../adapters/page/server/access.ts";
import { createApp } from "../../../adapters/page/server/app.ts";
import { readPageFiles } from "../../../adapters/page/server/page-files.ts";
import { openPast } from "../../../adapters/page/server/past.ts";
import { type Panel, servePanel } from "../../../adapters/page/server/serve.ts";
import { openLive } from "../../../adapters/page/server/stream.ts";
import type { Project } from "../../../src/api/project.ts";
import { controlLoops } from "../../../src/loop/starting/loop-control.ts";

/** A panel that cannot be reached for a while, as over a network or while its machine sleeps: it keeps its token. */
export interface Interrupted {
  readonly panel: Panel;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Serves the project anew at the same port, as after Ctrl-C: with another token. */
  startAnew(): Promise<Panel>;
}

/** @param name by which it is asked; the browser must know where that is */
export async function interruptedPanel(project: Project, name = "127.0.0.1"): Promise<Interrupted> {
  const state: { fetch?: ReturnType<typeof createApp>["fetch"] } = {};
  const server = createAdaptorServer({
    fetch: (request, env) => state.fetch?.(request, env) ?? new Response(null, { status: 503 }),
  });
  await listen(server, 0);
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const access = createAccess(
    { port, hosts: new Set([`${name}:${port}`]), origins: new Set([`http://${name}:${port}`]) },
    { readOnly: false, owner: { name: project.actor, role: "own", by: "address" }, holder: () => undefined },
  );
  const past = openPast(project);
  const loops = controlLoops(project);
  onTestFinished(() => past.close());
  const live = openLive(project, false);
  state.fetch = createApp({ project, past, live, access, files: readPageFiles(), loops }).fetch;
  const goAway = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  onTestFinished(goAway);
  const address = `http://${name}:${port}/?token=${access.token}`;
  return {
    panel: {
      address,
      addresses: [address],
      origin: `http://${name}:${port}`,
      local: `http://127.0.0.1:${port}`,
      port,
      close: goAway,
    },
    goAway,
    comeBack: () => listen(server, port),
    async startAnew() {
      const panel = await servePanel(project, { port, host: "127.0.0.1", readOnly: false, loops });
      onTestFinished(() => panel.close());
      return panel;
    },
  };
}

function listen(server: Pick<Server, "once" | "listen">, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
