import { createServer as createTls } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { listening } from "../listening.ts";
import { answersOf } from "./answers.ts";
import { hostsOf, isLoopbackHost } from "./hosts.ts";

/** Where a server listens, and how it is reached. */
export interface Place {
  /** 0 takes any free port. */
  readonly port: number;
  /** The host name or address to listen on. */
  readonly host: string;
  /** Absent: it speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Its origin where something before it, such as a proxy with TLS, is reached by another one. */
  readonly publicOrigin?: string | undefined;
}

/** A server's own addresses. */
export interface Own {
  readonly port: number;
  /** Where it can be reached, such as `http://127.0.0.1:4100`; the first is the best to tell. */
  readonly printed: readonly string[];
  /** The allowed values of `Host`; any other one is DNS rebinding. */
  readonly hosts: ReadonlySet<string>;
  /** The origins of its own pages. */
  readonly origins: ReadonlySet<string>;
}

/** A server that listens. */
export interface Listening extends Own {
  /** Its origin on this machine, such as `http://127.0.0.1:4100`, whatever stands before it. */
  readonly local: string;
  /** What is answered is written first; what takes longer than a second is cut off. */
  close(): Promise<void>;
}

/** For answers that are being written, and downloads. */
const LAST_WORDS_MS = 1_000;

type Answer = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

/**
 * Serves HTTP, or HTTPS.
 *
 * @param answering gives what answers the requests, once the addresses are known
 * @throws Error with a `code` such as `EADDRINUSE`: it cannot listen there, or there is a fault in its certificate
 */
export async function listenHttp(
  { port, host, tls, publicOrigin }: Place,
  answering: (own: Own) => Answer,
): Promise<Listening> {
  let answer: Answer | undefined;
  const fetch = (request: Request, bindings: unknown) =>
    answer?.(request, bindings as HttpBindings) ?? new Response(null, { status: 503 });
  const server = createAdaptorServer(
    tls ? { fetch, createServer: createTls, serverOptions: tls } : { fetch },
  );
  const answers = answersOf(server);
  await listening(server, { port, host }, (error) => process.emitWarning(error));
  // A server on a TCP port has an address of this type.
  const bound = server.address() as AddressInfo;
  const scheme = tls ? "https" : "http";
  const { printed, known } = hostsOf(bound, host, scheme);
  const outside = publicOrigin === undefined ? [] : [publicOrigin];
  // What a proxy with TLS stands before is not told to others without it.
  const isOpen = (name: string) => tls !== undefined || outside.length === 0 || isLoopbackHost(name);
  const origins = (names: readonly string[]) => names.filter(isOpen).map((name) => `${scheme}://${name}`);
  const own: Own = {
    port: bound.port,
    printed: [...outside, ...origins(printed)],
    hosts: new Set([...known.filter(isOpen), ...outside.map((origin) => new URL(origin).host)]),
    origins: new Set([...origins(known), ...outside]),
  };
  answer = answering(own);
  return {
    ...own,
    local: `${scheme}://${printed[0]}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.race([answers.drained(), delay(LAST_WORDS_MS, undefined, { ref: false })]);
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}

/** True for the origin of a server's own page at the host that a request names. */
export function isOwnOrigin(origin: string, host: string, { origins }: Pick<Own, "origins">): boolean {
  return origins.has(origin) && origin.endsWith(`//${host}`);
}
