import type { GateDeclaration } from "../../events/types/gates.ts";

/**
 * A task's command line, understood (docs/rules.md, Verify gates):
 *
 *     >>implement-feature :: verify:"npm test" :fast :: "follows coding standards"
 *     └──────name───────┘ └─────────clause─────────┘ └──────────clause───────────┘
 *
 * Invariants of one that was parsed: the name, a command and a criterion are not blank, within the limits of the events
 * that they go into, and without control characters but tabs and, in quotes, line breaks. The name has no `::` and no
 * blanks at its ends.
 */
export interface GateLine {
  /** The text before the first `::`, without its `>>`. */
  readonly name?: string;
  /** In the order written. */
  readonly clauses: readonly Clause[];
}

/** One `::` clause: a command to run, or a text for the prompt. */
export type Clause = { readonly gate: GateDeclaration } | { readonly criterion: string };

export function gatesOf({ clauses }: GateLine): GateDeclaration[] {
  return clauses.flatMap((clause) => ("gate" in clause ? [clause.gate] : []));
}

export function criteriaOf({ clauses }: GateLine): string[] {
  return clauses.flatMap((clause) => ("criterion" in clause ? [clause.criterion] : []));
}
