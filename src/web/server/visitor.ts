import type { Role } from "../../config/roles.ts";

/** Who sends a request. */
export interface Visitor {
  /** The name in the log. */
  readonly name: string;
  readonly role: Role;
}

/** What the server's handlers know of a request. */
export interface VisitorVariables {
  readonly Variables: {
    visitor: Visitor;
    /** Who it is now: undefined once the token was revoked. */
    look: () => Visitor | undefined;
  };
}
