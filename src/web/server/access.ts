import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

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
  /** As a browser names the server: with its port, where that is not 80. */
  readonly hosts: readonly string[];
  readonly readOnly: boolean;
}

export function createAccess({ port, hosts, readOnly }: AccessOptions): Access {
  return {
    token: secret(),
    cookie: { name: `signalbox_${port}`, value: secret() },
    hosts: new Set(hosts),
    readOnly,
  };
}

/** True if both are equal; it takes as long for any two texts. */
export function isSame(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ""), digest(expected));
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
