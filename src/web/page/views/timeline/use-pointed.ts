import { useAnswer } from "../../answers.ts";
import type { CardFilter } from "./filter.ts";
import { usePointedCard } from "./hash.ts";

/** The card that the address points to. */
export interface Pointed {
  readonly position: number | undefined;
  /** Where it stands among those that are shown; undefined where it is not shown. */
  readonly index: number | undefined;
  /** False until the server has said where it stands. */
  readonly isKnown: boolean;
  /** Where it is not shown: whether it is a card of this task, and the one before it. */
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
