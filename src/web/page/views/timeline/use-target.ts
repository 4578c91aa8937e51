import { useEffect, useRef, useState } from "preact/hooks";
import { cardKey } from "./rows.ts";
import type { Pointed } from "./use-pointed.ts";

/** The row that a reader went to, by a key or by an address that points to a card; its card takes the focus. */
export function useTarget({ index, position }: Pointed) {
  const [chosen, setChosen] = useState<string>();
  const awaitsFocus = useRef<string | undefined>(undefined);
  // A key goes to its row at once, and lets the address follow.
  const goneTo = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (index === undefined || goneTo.current === position) return;
    goneTo.current = undefined;
    setChosen(cardKey(index));
    if (!isWriting(document.activeElement)) awaitsFocus.current = cardKey(index);
  }, [index, position]);
  return {
    target: chosen ?? (index === undefined ? undefined : cardKey(index)),
    goTo(key: string, card?: number) {
      goneTo.current = card;
      awaitsFocus.current = key;
      setChosen(key);
    },
    /** @returns true, once, for the row that is to have the focus */
    takesFocus(key: string): boolean {
      const takes = awaitsFocus.current === key;
      if (takes) awaitsFocus.current = undefined;
      return takes;
    },
  };
}

/** Whoever writes keeps the focus. */
function isWriting(element: Element | null): boolean {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
}
