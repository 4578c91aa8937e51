import { useState } from "preact/hooks";
import type { BoardColumn } from "../../../server/answers/board.ts";
import { useAddress } from "../../address.ts";
import type { Card, CardFilter } from "../../core.ts";
import { useAnswers } from "../../several.ts";

/** The cards of a column by index; undefined until loaded. */
export interface Picture {
  readonly count: number;
  readonly cards: readonly (Card | undefined)[];
}

/** The board's answer contains as many. */
const PAGE = 30;

/** A column's cards: the first page comes with the board, further ones are loaded when visible. */
export function useCards(
  { status, matching, cards }: BoardColumn,
  filter: CardFilter,
): { picture: Picture; onWindow(first: number, last: number): void } {
  const { at } = useAddress();
  const [shown, setShown] = useState({ first: 0, last: 0 });
  const pages = pagesOf(shown.first, Math.min(shown.last, matching.tasks - 1));
  const asked = useAnswers(
    "column",
    pages.map((page) => ({ ...filter, status, row: page * PAGE })),
    at,
  );
  const all: (Card | undefined)[] = [...cards];
  const known = new Set(cards.map(({ id }) => id));
  for (const [nth, page] of pages.entries()) {
    for (const [row, card] of (asked[nth]?.data?.answer ?? []).entries()) {
      // Two pages loaded at different times may both contain a card.
      if (known.has(card.id)) continue;
      known.add(card.id);
      all[page * PAGE + row] = card;
    }
  }
  return {
    picture: { count: matching.tasks, cards: Array.from(all) },
    onWindow: (first, last) => setShown({ first, last }),
  };
}

/** The pages of a range of cards, without the first page. */
function pagesOf(first: number, last: number): number[] {
  const from = Math.max(1, Math.floor(first / PAGE));
  const to = Math.floor(last / PAGE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);
}
