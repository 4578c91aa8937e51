import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { answersOf } from "../../lib/http/answers.ts";
import { isLoopbackHost } from "../../lib/http/hosts.ts";
import type { Host } from "../host.ts";
import { hostSession } from "../host-session.ts";
import { refuseForeign } from "../http/guard.ts";
import { CALLS, HttpSession } from "../http/http-session.ts";
import { refuse } from "../http/refuse.ts";
import type { Launch } from "../launch.ts";

/** True for the first line of a request over HTTP/1. */
export function isRequestLine(line: string): boolean {
  return / HTTP\/1\.[01]\r?$/.test(line);
}

/** The session over HTTP, on connections to its relay's socket: who may connect needs no token. */
export interface RelayHttp {
  /** Serves a connection until it closes. */
  serve(socket: Socket): Promise<void>;
  /** Resolves when every call is answered, and what answers them is written. */
  close(): Promise<void>;
}

export function relayHttp(launch: Launch, host: Host): RelayHttp {
  const hosted = hostSession(launch, { ...host, mostCalls: CALLS });
  void hosted.unusable.then(host.report);
  const session = new HttpSession(hosted);
  const server = createAdaptorServer({
    fetch: async (request: Request) => {
      try {
        return foreignTo(request) ?? (await session.answer(request));
      } catch (error) {
        host.report?.(error);
        return refuse(500, "The server failed to answer.");
      }
    },
  });
  const answers = answersOf(server);
  return {
    serve(socket) {
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      // Every write after the reader has gone fails.
      socket.on("error", () => socket.destroy());
      server.emit("connection", socket);
      return closed;
    },
    async close() {
      await session.close();
      await answers.drained();
    },
  };
}

/** In a container or under isolation it is reached by a port of the loopback, whose number is not ours to know. */
function foreignTo(request: Request): Response | undefined {
  const { host, pathname } = new URL(request.url);
  if (pathname !== "/mcp") return refuse(404, `There is no ${pathname}. Use /mcp.`);
  const hosts = new Set(isLoopbackHost(host) ? [host] : ["127.0.0.1"]);
  return refuseForeign(request, { hosts, origins: new Set([`http://${host}`]) });
}
