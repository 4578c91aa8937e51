import { useEffect, useRef, useState } from "preact/hooks";
import { isWriting } from "../../keys.ts";
import { cardKey } from "./rows.ts";
import type { Pointed } from "./use-pointed.ts";

/** The row that a reader went to, by a key or by an address that points to a card; its card takes the focus. */
export function useTarget({ index, position }: Pointed) {
  const [chosen, setChosen] = useState<string>();
  const awaitsFocus = useRef<string | undefined>(undefined);
  // A key goes to its row at once, and lets the address follow. While somebody moves in time, a card that was gone to takes
  // the focus no second time.
  const goneTo = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (index === undefined) return;
    setChosen(cardKey(index));
    // Whoever writes keeps the focus.
    if (goneTo.current !== position && !isWriting(document.activeElement))
      awaitsFocus.current = cardKey(index);
    goneTo.current = position;
  }, [index, position]);
  return {
    target: chosen ?? (index === undefined ? undefined : cardKey(index)),
    goTo(key: string, card?: number) {
      goneTo.current = card ?? goneTo.current;
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
