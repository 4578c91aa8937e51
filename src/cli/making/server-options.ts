import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { errorMessage } from "../../lib/error-message.ts";
import { isLoopback } from "../../lib/http/hosts.ts";
import type { Place } from "../../lib/http/listen.ts";
import { ToldError } from "../../lib/told-error.ts";
import { parseWhole } from "./command.ts";

/** Where a command listens, as its options have it. */
export interface ServerOptions {
  readonly port?: number;
  readonly host: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly publicUrl?: string;
}

export function serverOptions(command: Command): Command {
  return command
    .option(
      "--port <number>",
      `the port; 0 takes any free port (default: the first free port from ${FIRST_PORT})`,
      parsePort,
    )
    .option(
      "--host <address>",
      "the address to listen on; other machines can reach any other than a loopback address, which needs TLS",
      parseHost,
      "127.0.0.1",
    )
    .option("--tls-cert <file>", "the server's certificate, with those between it and the root, as PEM")
    .option("--tls-key <file>", "its private key, as PEM")
    .option(
      "--public-url <url>",
      "the https address of a proxy before it that has TLS, such as https://box.example",
      parsePublicUrl,
    );
}

/**
 * Listens where the options say: on the port that was asked for, else on the first that is free, since
 * another project's server may have the usual one.
 *
 * @throws CannotListenError
 */
export async function listenAsAsked<Server>(
  { port, ...options }: ServerOptions,
  listen: (place: Place) => Promise<Server>,
): Promise<Server> {
  const { host, publicUrl: publicOrigin } = options;
  const tls = tlsOf(options);
  if (!tls && publicOrigin === undefined && !isLoopback(host)) {
    throw new CannotListenError(
      "no_tls",
      `Other machines can reach ${JSON.stringify(host)}, and without TLS anyone on the way can read the tokens. Give --tls-cert and --tls-key, or --public-url with the https address of a proxy that has TLS.`,
    );
  }
  const ports = port === undefined ? [...Array(PORTS).keys()].map((nth) => FIRST_PORT + nth) : [port];
  for (const tried of ports) {
    try {
      return await listen({ port: tried, host, tls, publicOrigin });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "EADDRINUSE") continue;
      const words = CANNOT_LISTEN[code] ?? (code.startsWith("ERR_") && tls ? badTls(error) : undefined);
      if (!words) throw error;
      throw new CannotListenError("bad_address", words(JSON.stringify(host), tried));
    }
  }
  const what =
    port === undefined ? `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} are` : `Port ${port} is`;
  throw new CannotListenError(
    "port_in_use",
    `${what} in use on ${host}. Choose another port with --port; 0 takes any free port.`,
  );
}

function tlsOf({ tlsCert, tlsKey }: Pick<ServerOptions, "tlsCert" | "tlsKey">): Place["tls"] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CannotListenError("no_tls", "--tls-cert and --tls-key belong together: give both files.");
  return { cert: readPem(tlsCert), key: readPem(tlsKey) };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CannotListenError("no_tls", `${path} cannot be read: ${errorMessage(error)}.`);
  }
}

function badTls(error: unknown) {
  return () =>
    `The certificate and the key cannot be used: ${errorMessage(error)}. Give a certificate and the private key that belongs to it, both as PEM.`;
}

/** A server cannot listen as it was told to; `message` says what would be right. */
class CannotListenError extends ToldError<"no_tls" | "bad_address" | "port_in_use"> {
  override readonly name = "CannotListenError";

  get fault() {
    return this.code === "port_in_use" ? "unusable" : "usage";
  }
}

const NO_SUCH_HOST = (host: string) =>
  `This machine has no address ${host}. Give --host one of its own: 127.0.0.1 for this machine only, 0.0.0.0 for every machine that can reach it.`;

const CANNOT_LISTEN: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  EADDRNOTAVAIL: NO_SUCH_HOST,
  EINVAL: NO_SUCH_HOST,
  EAFNOSUPPORT: NO_SUCH_HOST,
  EACCES: (host, port) =>
    `You are not allowed to listen on port ${port} on ${host}. Choose a port from 1024 up with --port.`,
};

const FIRST_PORT = 4_100;
const PORTS = 20;

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port > 65_535) throw new InvalidArgumentError("It must be a port from 0 to 65535.");
  return port;
}

/** An empty one would be every address that the machine has. */
function parseHost(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must be an address, such as 127.0.0.1.");
  return text.trim();
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.pathname === "/" && url.search === "") return url.origin;
  throw new InvalidArgumentError("It must be an https address without a path, such as https://box.example.");
}
