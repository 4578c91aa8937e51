import { useEffect, useRef, useState } from "preact/hooks";
import type { Picture } from "./use-cards.ts";

/**
 * What a column shows while somebody is at one of its cards: a card keeps its place until the pointer and the focus have left
 * it (panel.md, Board). A change that would move such a card waits.
 *
 * @param picture the column as it is now
 * @param question what the column was asked for: of another one nothing is kept
 * @returns what to show, and the ids of the cards that have gone from where they are shown
 */
export function useHeld(
  box: { readonly current: HTMLElement | null },
  picture: Picture,
  question: string,
): { shown: Picture; moved: ReadonlySet<number> } {
  const held = useCardsAt(box);
  const kept = useRef({ picture, question });
  const moved = held.filter(
    ({ id, index }) =>
      kept.current.question === question &&
      kept.current.picture.cardAt(index)?.id === id &&
      picture.cardAt(index)?.id !== id,
  );
  if (moved.length === 0) kept.current = { picture, question };
  return { shown: kept.current.picture, moved: new Set(moved.map(({ id }) => id)) };
}

interface Held {
  readonly id: number;
  readonly index: number;
}

/** The cards of a column at which the pointer or the focus is. */
function useCardsAt(box: { readonly current: HTMLElement | null }): readonly Held[] {
  const [pointed, setPointed] = useState<Held>();
  const [focused, setFocused] = useState<Held>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const listening = new AbortController();
    const { signal } = listening;
    const point = ({ target, pointerType }: PointerEvent) =>
      setPointed((before) => same(before, pointerType === "mouse" ? heldBy(target) : undefined));
    const focus = ({ target }: FocusEvent) => setFocused((before) => same(before, heldBy(target)));
    element.addEventListener("pointerover", point, { signal });
    element.addEventListener("pointerleave", () => setPointed(undefined), { signal });
    element.addEventListener("focusin", focus, { signal });
    element.addEventListener("focusout", () => setFocused(undefined), { signal });
    return () => listening.abort();
  }, [box]);
  return [pointed, focused].filter((one) => one !== undefined);
}

function same(before: Held | undefined, now: Held | undefined): Held | undefined {
  return before?.id === now?.id && before?.index === now?.index ? before : now;
}

function heldBy(target: EventTarget | null): Held | undefined {
  if (!(target instanceof Element)) return undefined;
  const id = target.closest<HTMLElement>("[data-task]")?.dataset.task;
  const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
  return id === undefined || index === undefined ? undefined : { id: Number(id), index: Number(index) };
}
