import { useEffect, useRef, useState } from "preact/hooks";
import type { Card } from "../../core.ts";
import type { Picture } from "./use-cards.ts";

/**
 * Keeps a card in its place among its neighbours while the pointer or the focus is on it.
 *
 * @param picture the column as it is now
 * @param question the column's query; cards of another query are not held
 * @returns the cards to show, the ids of those that left the column, and the card that must not move
 *   on the screen
 */
export function useHeld(
  box: { readonly current: HTMLElement | null },
  picture: Picture,
  question: string,
): { shown: Picture; gone: ReadonlySet<number>; still: number | undefined } {
  const at = useCardsAt(box, question);
  const before = useRef(picture);
  const held = at.flatMap((id) => before.current.cards.find((card) => card?.id === id) ?? []);
  const shown = held.length === 0 ? picture : withHeld(picture, before.current, held);
  before.current = shown;
  const isGone = ({ id }: Card) => !picture.cards.some((card) => card?.id === id);
  return { shown, gone: new Set(held.filter(isGone).map(({ id }) => id)), still: at[0] };
}

/** The current column, with the held cards after their former predecessors. */
function withHeld(now: Picture, before: Picture, held: readonly Card[]): Picture {
  let { cards, count } = now;
  for (const card of held) {
    const old = before.cards.findIndex((one) => one?.id === card.id);
    const place = cards.findIndex((one) => one?.id === card.id);
    const rest = place < 0 ? [...cards] : cards.filter((_, index) => index !== place);
    const after = placeOfNearest(rest, before.cards.slice(0, old).reverse());
    const until = placeOfNearest(rest, before.cards.slice(old + 1));
    const isStillBetween = place > (after ?? -1) && place <= (until ?? Number.POSITIVE_INFINITY);
    rest.splice(isStillBetween ? place : (after ?? -1) + 1, 0, cards[place] ?? card);
    if (place < 0) count += 1;
    cards = rest;
  }
  return { cards, count };
}

/** The index of the first neighbour that is still in the column. */
function placeOfNearest(
  cards: Picture["cards"],
  neighbours: readonly (Card | undefined)[],
): number | undefined {
  const places = new Map(cards.map((card, place) => [card?.id, place]));
  const nearest = neighbours.find((card) => card && places.has(card.id));
  return nearest && places.get(nearest.id);
}

/** The cards under the pointer and with the focus. */
function useCardsAt(box: { readonly current: HTMLElement | null }, question: string): readonly number[] {
  const [pointed, setPointed] = useState<number>();
  const [focused, setFocused] = useState<number>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    setPointed(undefined);
    setFocused(cardOf(document.activeElement, element));
    const listening = new AbortController();
    const { signal } = listening;
    const point = ({ target, pointerType }: PointerEvent) =>
      setPointed(pointerType === "mouse" ? cardOf(target, element) : undefined);
    element.addEventListener("pointerover", point, { signal });
    element.addEventListener("pointerleave", () => setPointed(undefined), { signal });
    element.addEventListener("focusin", ({ target }) => setFocused(cardOf(target, element)), { signal });
    element.addEventListener("focusout", () => setFocused(undefined), { signal });
    return () => listening.abort();
  }, [box, question]);
  return [...new Set([pointed, focused])].filter((id) => id !== undefined);
}

function cardOf(target: EventTarget | null, column: HTMLElement): number | undefined {
  if (!(target instanceof Element) || !column.contains(target)) return undefined;
  const id = target.closest<HTMLElement>("[data-task]")?.dataset.task;
  return id === undefined ? undefined : Number(id);
}
