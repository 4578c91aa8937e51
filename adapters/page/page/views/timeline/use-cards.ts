import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAnswers } from "../../several.ts";
import type { CardFilter } from "./filter.ts";

export type Card = AnswerOf<"cards">[number];

const PAGE = 30;

/** Cards by index, loaded in pages. */
export function useCards(wanted: {
  readonly task: number;
  readonly filter: CardFilter;
  /** Undefined for the present. */
  readonly at: number | undefined;
  readonly indexes: readonly number[];
}) {
  const { task, filter, at, indexes } = wanted;
  const pages = [...new Set(indexes.map((index) => Math.floor(index / PAGE)))];
  const asked = useAnswers(
    "cards",
    pages.map((page) => ({ task, ...filter, row: page * PAGE, limit: PAGE })),
    at,
  );
  const cards = new Map<number, Card>();
  for (const [nth, { data }] of asked.entries()) {
    const first = (pages[nth] ?? 0) * PAGE;
    for (const [index, card] of (data?.answer ?? []).entries()) cards.set(first + index, card);
  }
  return {
    cardAt: (index: number) => cards.get(index),
    isReady: asked.every(({ isPending }) => !isPending),
  };
}
