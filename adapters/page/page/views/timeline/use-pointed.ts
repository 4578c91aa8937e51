import { useAnswer } from "../../answers.ts";
import type { CardFilter } from "./filter.ts";
import { usePointedCard } from "./hash.ts";

/** The card in the address. */
export interface Pointed {
  readonly position: number | undefined;
  /** Its index in the list; undefined if it is not shown. */
  readonly index: number | undefined;
  /** False until the server has answered. */
  readonly isKnown: boolean;
  /** If it is not shown: whether it is a card of this task, and the nearest one. */
  readonly elsewhere: { readonly isCard: boolean; readonly nearest: number | null } | undefined;
}

export function usePointed(task: number, filter: CardFilter): Pointed {
  const position = usePointedCard();
  const { answer, isOld, error } = useAnswer(
    "card_index",
    { task, ...filter, position: position ?? 1 },
    { enabled: position !== undefined },
  );
  const isKnown = position === undefined || error !== undefined || (answer !== undefined && !isOld);
  if (position === undefined || !answer || isOld)
    return { position, isKnown, index: undefined, elsewhere: undefined };
  const { index, isCard, nearest } = answer;
  return {
    position,
    isKnown,
    index: index ?? undefined,
    elsewhere: index === null ? { isCard, nearest } : undefined,
  };
}
