import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isWriting } from "../../keys.ts";
import { cardKey } from "./rows.ts";
import type { Pointed } from "./use-pointed.ts";

/** The row that a reader went to, by a key or by an address that points to a card; its card takes the focus. */
export function useTarget({ index, position }: Pointed) {
  const [chosen, setChosen] = useState<{ readonly key: string; readonly card: number | undefined }>();
  const awaitsFocus = useRef<string | undefined>(undefined);
  // A key goes to its row at once, and lets the address follow: where the card stands is answered later, when the reader
  // may have gone on to a row that no address points to.
  const goneTo = useRef<number | undefined>(undefined);
  // Before the next key: it may go elsewhere.
  useLayoutEffect(() => {
    if (index === undefined) return;
    const isNew = goneTo.current !== position;
    goneTo.current = position;
    // While somebody moves in time, a card that was gone to stands elsewhere, and takes the focus no second time.
    if (isNew || chosen?.card === position) setChosen({ key: cardKey(index), card: position });
    // Whoever writes keeps the focus.
    if (isNew && !isWriting(document.activeElement)) awaitsFocus.current = cardKey(index);
  }, [index, position]);
  return {
    target: chosen?.key ?? (index === undefined ? undefined : cardKey(index)),
    goTo(key: string, card?: number) {
      goneTo.current = card ?? goneTo.current;
      awaitsFocus.current = key;
      setChosen({ key, card });
    },
    /** @returns true, once, for the row that is to have the focus */
    takesFocus(key: string): boolean {
      const takes = awaitsFocus.current === key;
      if (takes) awaitsFocus.current = undefined;
      return takes;
    },
  };
}
