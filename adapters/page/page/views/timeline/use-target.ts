import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isWriting } from "../../keys.ts";
import { cardKey } from "./rows.ts";
import type { Pointed } from "./use-pointed.ts";

/** The row to scroll to and focus, chosen by a key or by a card in the address. */
export function useTarget({ index, position }: Pointed) {
  const [chosen, setChosen] = useState<{ readonly key: string; readonly card: number | undefined }>();
  const awaitsFocus = useRef<string | undefined>(undefined);
  // A key selects its row at once and updates the address. The card's index arrives later, when the
  // reader may already be on another row.
  const goneTo = useRef<number | undefined>(undefined);
  // In a layout effect, before the next key.
  useLayoutEffect(() => {
    if (index === undefined) return;
    const isNew = goneTo.current !== position;
    goneTo.current = position;
    // At another position the card may have another index; it must not take the focus again.
    if (isNew || chosen?.card === position) setChosen({ key: cardKey(index), card: position });
    // Never take the focus from a text field.
    if (isNew && !isWriting(document.activeElement)) awaitsFocus.current = cardKey(index);
  }, [index, position]);
  return {
    target: chosen?.key ?? (index === undefined ? undefined : cardKey(index)),
    goTo(key: string, card?: number) {
      goneTo.current = card ?? goneTo.current;
      awaitsFocus.current = key;
      setChosen({ key, card });
    },
    /** @returns true, once, for the row that takes the focus */
    takesFocus(key: string): boolean {
      const takes = awaitsFocus.current === key;
      if (takes) awaitsFocus.current = undefined;
      return takes;
    },
  };
}
