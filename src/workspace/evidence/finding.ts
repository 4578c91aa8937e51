import type { FindingKind } from "../../events/types/session-work.ts";

/** What was found in the workspace of a session. */
export interface Finding {
  readonly kind: FindingKind;
  /** The files that it is about, relative to the top of the repository. */
  readonly paths: readonly string[];
  /** Stashes, branches and commits. */
  readonly refs: readonly string[];
  /** One sentence: what was found, and what mends it. */
  readonly says: string;
}
