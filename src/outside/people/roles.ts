import { type Role, roles } from "../../config/roles.ts";
import type { ItemKind } from "../../projections/board/inbox-tables.ts";

/** Whether a role includes another one (docs/people.md). */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The role that an act on an item of the inbox needs. */
export function roleForItem(kind: ItemKind): Role {
  return ANSWERED.has(kind) ? "answer" : "decide";
}

/** What an agent asks or tells; the others change what runs, or what counts as done. */
const ANSWERED: ReadonlySet<ItemKind> = new Set(["question", "blocker", "contest", "flag"]);
