import type { Role } from "./core.ts";

/** Who sends a request. */
export interface Visitor {
  /** The name in the log. */
  readonly name: string;
  readonly role: Role;
  /** `address`: by the printed one; else by a token of a person's, made by a command or by a login. */
  readonly by: "address" | "token" | "login";
}

/** What the server's handlers know of a request. */
export interface VisitorVariables {
  readonly Variables: {
    visitor: Visitor;
    /** Who it is now: undefined once the token was revoked. */
    look: () => Visitor | undefined;
  };
}
