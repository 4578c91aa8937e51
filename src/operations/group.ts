import type { Operation } from "./operation.ts";
import type { Pages, Reading } from "./reading.ts";

/** What belongs together, and has one word in front of its commands: `signalbox comment …`. */
export interface Group {
  readonly name: string;
  readonly does: string;
  /** What stands behind its name in the help's example. */
  readonly example?: string;
  /** In the order of the help. */
  readonly has: readonly (Operation | Reading | Pages)[];
}

export function defineGroup(group: Group): Group {
  return group;
}
