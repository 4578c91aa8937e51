import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Who may use this server, and by which host names. It lives as long as the server. */
export interface Access {
  /** In the printed address; it is exchanged for the cookie. */
  readonly token: string;
  /** Named by the port, since cookies are shared by all ports of a host. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** The allowed values of `Host`; any other one is DNS rebinding. */
  readonly hosts: ReadonlySet<string>;
  readonly readOnly: boolean;
}

export interface AccessOptions {
  readonly port: number;
  /** With the port, unless it is 80. */
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

/** Compares in constant time. */
export function isEqualSecret(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ""), digest(expected));
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
