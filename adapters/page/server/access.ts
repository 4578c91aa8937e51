import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Logins, Own } from "./core.ts";
import type { Visitor } from "./visitor.ts";

/** Who may use this server, and by which host names. It lives as long as the server. */
export interface Access extends Pick<Own, "hosts" | "origins"> {
  /** In the printed address; it is exchanged for the cookie. */
  readonly token: string;
  /** Named by the port, since cookies are shared by all ports of a host. */
  readonly cookie: { readonly name: string; readonly value: string };
  readonly readOnly: boolean;
  /** Who holds the printed token. */
  readonly owner: Visitor;
  /** Who holds a token of the people's (docs/people.md); undefined: nobody does now. */
  holder(token: string): Visitor | undefined;
  /** How people log in; absent: not at all. */
  readonly logins?: Logins | undefined;
}

export function createAccess(
  { port, hosts, origins }: Omit<Own, "printed">,
  visitors: Pick<Access, "readOnly" | "owner" | "holder" | "logins">,
): Access {
  return {
    token: secret(),
    cookie: { name: `signalbox_${port}`, value: secret() },
    hosts,
    origins,
    ...visitors,
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
