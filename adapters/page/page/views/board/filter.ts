import { type Address, type Changes, useAddress } from "../../address.ts";
import { type CardFilter, priorities } from "../../core.ts";
import { TEXT_LIMIT } from "../../filter.ts";
import { notNumberError, unknownValueError } from "../../parts/invalid-address.tsx";

/** The board's filter in the address. */
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

/** An invalid value in the address, and the changes that remove it. */
export function addressError({ get }: Pick<Address, "get">): { what: string; clear: Changes } | undefined {
  const priority = unknownValueError("priority", get("priority"), priorities);
  if (priority !== undefined) return { what: priority, clear: { priority: undefined } };
  const task = notNumberError("a task number", get("task"));
  return task === undefined ? undefined : { what: task, clear: { task: undefined } };
}

/** A filter in words: `feature auth, text “csv”`; empty without a filter. */
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
