import { useState } from "preact/hooks";
import type { Card, CardFilter } from "../../../../projections/queries/cards.ts";
import type { BoardColumn } from "../../../server/answers/board.ts";
import { useAddress } from "../../address.ts";
import { useAnswers } from "../../several.ts";

/** What a column shows: how many cards, and each by its place; one that is not there yet is undefined. */
export interface Picture {
  readonly count: number;
  readonly cards: readonly (Card | undefined)[];
}

/** As many come with the board itself. */
const PAGE = 30;

/** A column's cards: the first ones came with the board, pages of the others are asked for as they come into sight. */
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
      // Pages that were answered at different moments may both have a card.
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

/** The pages, but for the first one, on which cards from one place to another stand. */
function pagesOf(first: number, last: number): number[] {
  const from = Math.max(1, Math.floor(first / PAGE));
  const to = Math.floor(last / PAGE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);
}
