import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { networkInterfaces } from "node:os";

/** Who may ask this server, and by which of its names. It lives as long as the server. */
export interface Access {
  /** Stands in the address that is printed; who brings it gets the cookie. */
  readonly token: string;
  /** Named by the port: a browser sends cookies to every port of a host, and two servers must not log each other out. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** What a request's Host may be: anything else is a page that had its name point here (DNS rebinding). */
  readonly hosts: ReadonlySet<string>;
  readonly readOnly: boolean;
}

export interface AccessOptions {
  readonly port: number;
  /** What the server listens on. */
  readonly host: string;
  readonly readOnly: boolean;
}

export function createAccess({ port, host, readOnly }: AccessOptions): Access {
  return {
    token: secret(),
    cookie: { name: `signalbox_${port}`, value: secret() },
    hosts: new Set(namesOf(host).map((name) => `${name}:${port}`)),
    readOnly,
  };
}

/** True if both are equal; it takes as long for any two texts. */
export function isSame(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ""), digest(expected));
}

/** True for addresses that no other machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** By which names a browser may reach what listens on a host: never a name that somebody else decides on. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return ["127.0.0.1", "localhost", "[::1]", ...(host.includes(":") ? [] : [host])];
  const everywhere = host === "0.0.0.0" || host === "::";
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const names = everywhere ? own.map(({ address }) => address) : [host];
  return [...names.map((name) => (name.includes(":") ? `[${name}]` : name)), "localhost"];
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
