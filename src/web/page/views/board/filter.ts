import { priorities } from "../../../../events/types/task-words.ts";
import type { CardFilter } from "../../../../projections/queries/cards.ts";
import { useAddress } from "../../address.ts";
import { TEXT_LIMIT } from "../../parts/search-field.tsx";

/** The board's filter as the address has it. */
export function useFilter(): CardFilter {
  const { get } = useAddress();
  return {
    feature: get("feature"),
    discipline: get("discipline"),
    priority: priorities.find((priority) => priority === get("priority")),
    text: get("text")?.slice(0, TEXT_LIMIT),
  };
}

export const NO_FILTER = { feature: undefined, discipline: undefined, priority: undefined, text: undefined };

/** What a filter asks for, in words: `feature auth, text "csv"`; empty for one that lets all through. */
export function filterWords({ feature, discipline, priority, text }: CardFilter): string {
  return [
    feature && `feature ${feature}`,
    discipline && `discipline ${discipline}`,
    priority && `priority ${priority}`,
    text?.trim() && `text “${text.trim()}”`,
  ]
    .filter(Boolean)
    .join(", ");
}
