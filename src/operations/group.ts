import type { Operation } from "./operation.ts";
import type { Pages, Reading } from "./reading.ts";

/** Operations whose commands share a first word: `signalbox comment …`. */
export interface Group {
  readonly name: string;
  readonly does: string;
  /** The arguments of the help's example. */
  readonly example?: string;
  /** In the order of the help. */
  readonly has: readonly (Operation | Reading | Pages)[];
}

export function defineGroup(group: Group): Group {
  return group;
}
