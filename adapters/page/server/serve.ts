import { type Access, createAccess } from "./access.ts";
import { type AppParts, createApp } from "./app.ts";
import { type FleetWatch, type LoopControl, listenHttp, type Place, type Project } from "./core.ts";
import { readPageFiles } from "./page-files.ts";
import { openPast } from "./past.ts";
import { openLive } from "./stream.ts";

export interface ServeOptions extends Place {
  readonly readOnly: boolean;
  /** What the page calls a project without a title, such as the name of its folder. */
  readonly name?: string | undefined;
  /** Who looks at the log's servers and hosts; absent for a log that is a file. */
  readonly fleet?: FleetWatch | undefined;
  readonly loops: LoopControl;
  /** Answers agents at `/mcp`; absent: nobody does. */
  readonly mcp?: AppParts["mcp"];
  /** Who holds a token of the people's; absent: nobody does. */
  readonly people?: Access["holder"];
  /** How people log in; absent: not at all. */
  readonly logins?: Access["logins"];
  /** Takes answers to notices; absent: nobody does. */
  readonly notices?: AppParts["notices"];
}

/** A running panel. */
export interface Panel {
  /** The address to open, with the token. */
  readonly address: string;
  /** The same for every interface that it listens on, `address` first. */
  readonly addresses: readonly string[];
  /** The same without the token. */
  readonly origin: string;
  /** Its origin on this machine, whatever stands before it. */
  readonly local: string;
  readonly port: number;
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
  { readOnly, name, fleet, loops, mcp, notices, people = () => undefined, logins, ...place }: ServeOptions,
): Promise<Panel> {
  const files = readPageFiles();
  const past = openPast(project);
  const live = openLive(project, readOnly);
  let token = "";
  const server = await listenHttp(place, (own) => {
    const access = createAccess(own, {
      readOnly,
      owner: { name: project.actor, role: "own", by: "address" },
      holder: people,
      logins,
    });
    token = access.token;
    return createApp({ project, past, live, access, files, name, fleet, loops, mcp, notices }).fetch;
  });
  const { port, printed, local } = server;
  const addresses = printed.map((origin) => `${origin}/?token=${token}`);
  return {
    // Every machine has at least the loopback interface.
    address: addresses[0] ?? "",
    addresses,
    origin: printed[0] ?? "",
    local,
    port,
    async close() {
      live.close();
      await server.close();
      await past.close();
    },
  };
}
