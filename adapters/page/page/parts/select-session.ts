import type { Changes } from "../address.ts";

/**
 * The change of the address that selects a session, or none. A search in the previous one, and a place
 * in its output, do not apply to it.
 */
export function selectSession(session: string | undefined): Changes {
  return { session, find: undefined, byte: undefined };
}
