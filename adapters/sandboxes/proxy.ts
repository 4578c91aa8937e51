import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { errorMessage, listening, SESSION_PATH } from "./core.ts";

/** The way out of a sandbox. */
export interface Proxy {
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Listens on a socket as an HTTP proxy that allows CONNECT to a few hosts and nothing else, in this
 * process: names are resolved here, where the agent has no part in it. So an allowed name may lead to
 * a private address: a human chose it.
 *
 * @param path where there is nothing yet
 * @param allowed each as `host:port`
 * @throws Error from the system
 */
export async function openProxy(
  path: string,
  { allowed, report }: { readonly allowed: readonly string[]; readonly report: (error: unknown) => void },
): Promise<Proxy> {
  const sockets = new Set<Duplex>();
  const refused = new Set<string>();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
  };
  const server = createServer(LIMITS, answer);
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", keep);
  server.on("clientError", (_error, socket) => socket.destroy());
  server.on("connect", ({ url = "" }: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = url.toLowerCase();
    if (allowed.includes(target)) return passOn(target, client, head);
    if (refused.size < MOST_TOLD && !refused.has(target)) report(`The proxy refused ${target}.`);
    refused.add(target);
    const right = allowed.length === 0 ? "none" : allowed.join(", ");
    refuse(client, "403 Forbidden", `${target} is not allowed in this sandbox. Allowed: ${right}.`);
  });

  function passOn(target: string, client: Duplex, head: Buffer): void {
    const end = target.lastIndexOf(":");
    const host = target.slice(0, end);
    const port = Number(target.slice(end + 1));
    const far = connect({ host, port, allowHalfOpen: true, timeout: CONNECT_MS });
    keep(far);
    const fail = (why: string) => {
      report(`The proxy cannot reach ${target}: ${why}.`);
      refuse(client, "502 Bad Gateway", `${target} cannot be reached: ${why}.`);
      far.destroy();
    };
    const failed = (error: unknown) => fail(errorMessage(error));
    const slow = () => fail(`no answer within ${CONNECT_MS / 1_000} s`);
    far.once("error", failed).once("timeout", slow);
    client.once("close", () => far.destroy());
    far.once("connect", () => {
      far.off("error", failed).off("timeout", slow);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.write(head);
      far.pipe(client).pipe(far);
      far.once("close", () => client.destroy());
      far.setTimeout(IDLE_MS, () => far.destroy());
    });
  }

  await listening(server, { path }, report);
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Each is one or two file descriptors of the driver. */
const MOST_CONNECTIONS = 128;
const MOST_TOLD = 100;
const LIMITS = { maxHeaderSize: 8_192, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };
const CONNECT_MS = 30_000;
/** Longer than a model thinks before its next word. */
const IDLE_MS = 15 * 60_000;

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  // Stays open as long as the session.
  if (method === "GET" && url === SESSION_PATH) return void response.writeHead(200).flushHeaders();
  response
    .writeHead(405, { "content-type": "text/plain", connection: "close" })
    .end("This proxy allows only CONNECT, to the hosts of this sandbox: use https.\n");
}

function refuse(client: Duplex, status: string, reason: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`, () =>
    client.destroy(),
  );
}
