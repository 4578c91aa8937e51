import { useEffect, useState } from "preact/hooks";
import type { Card } from "../../../../projections/queries/cards.ts";

/**
 * Counts how often a card has changed while the page was open, also where it came from another column. Its place in the
 * order of what is ready changes with those of others, and is no change of its own.
 */
export function useChanges({ turn: _, ...card }: Card): number {
  const [changes, setChanges] = useState(0);
  const now = JSON.stringify(card);
  useEffect(() => {
    const before = known.get(card.id);
    known.set(card.id, now);
    if (before !== undefined && before !== now) setChanges((count) => count + 1);
  }, [card.id, now]);
  return changes;
}

/** What each card was like when it was last on the page. */
const known = new Map<number, string>();
