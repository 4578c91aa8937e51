import { createServer as createTls } from "node:https";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { hostsOf } from "./hosts.ts";

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
  /** Also ends what is under way. */
  close(): Promise<void>;
}

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
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // A server on a TCP port has an address of this type.
  const bound = server.address() as AddressInfo;
  const scheme = tls ? "https" : "http";
  const { printed, known } = hostsOf(bound, host, scheme);
  const origins = known.map((name) => `${scheme}://${name}`);
  const outside = publicOrigin === undefined ? [] : [publicOrigin];
  const own: Own = {
    port: bound.port,
    printed: [...outside, ...printed.map((name) => `${scheme}://${name}`)],
    hosts: new Set([...known, ...outside.map((origin) => new URL(origin).host)]),
    origins: new Set([...origins, ...outside]),
  };
  answer = answering(own);
  return {
    ...own,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

/** True for the origin of a server's own page at the host that a request names. */
export function isOwnOrigin(origin: string, host: string, { origins }: Pick<Own, "origins">): boolean {
  return origins.has(origin) && origin.endsWith(`//${host}`);
}
