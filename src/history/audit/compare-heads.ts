import type { TreeHead } from "./checkpoint.ts";
import type { Damage } from "./damage.ts";

/** The result of reading a log to its end. */
export interface Known {
  readonly origin: string;
  readonly events: number;
  /** The tree's root at the size of each head, as far as the log goes. */
  readonly roots: ReadonlyMap<number, Buffer>;
}

/**
 * Whether a log continues older heads of it: same name, at least as many events, and the same root
 * over its first events. A root does not tell which event differs; the other heads narrow it down.
 *
 * @returns the first contradiction, by position
 */
export function compareHeads(
  { origin, events, roots }: Known,
  heads: readonly TreeHead[],
): Damage | undefined {
  let good = 0;
  for (const head of [...heads].sort((a, b) => a.size - b.size)) {
    // An empty log has no name; the missing events are reported instead.
    if (events > 0 && head.origin !== origin) {
      const what = `the head belongs to the log ${head.origin}, but this is ${origin}: another log, or one rewritten from its first event on`;
      return { check: "origin", position: 1, what };
    }
    if (head.size > events) {
      const what = `it is missing: the log ends at ${events}, but the head covers ${head.size} events`;
      return { check: "tail", position: events + 1, to: head.size, what };
    }
    if (!roots.get(head.size)?.equals(head.root)) {
      const what =
        head.size <= good
          ? "two of the heads contradict each other"
          : `${good + 1 === head.size ? "it" : `one of the events ${good + 1} to ${head.size}`} is not the one that the head of ${head.size} events covers, although its own hash matches: it was rewritten`;
      return { check: "tree_head", position: Math.min(good + 1, head.size), to: head.size, what };
    }
    good = head.size;
  }
  return undefined;
}
