import { useEffect, useState } from "preact/hooks";
import type { Card } from "../../core.ts";

/**
 * Counts the changes of a card while the page is open, across columns. Its place in line does not
 * count, since it changes with other tasks.
 */
export function useChanges({ turn: _, ...card }: Card): number {
  const [changes, setChanges] = useState(0);
  const now = JSON.stringify(card);
  useEffect(() => {
    const before = known.get(card.id);
    known.delete(card.id);
    known.set(card.id, now);
    if (known.size > KNOWN) known.delete(known.keys().next().value ?? card.id);
    if (before !== undefined && before !== now) setChanges((count) => count + 1);
  }, [card.id, now]);
  return changes;
}

/** Each card as it was last shown, the one shown last at the end; those that nobody sees for long are forgotten. */
const known = new Map<number, string>();
const KNOWN = 500;
