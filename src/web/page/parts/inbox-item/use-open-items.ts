import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useStore } from "../../store.ts";
import { handling, isUnhandled } from "./handling.ts";
import type { Kind } from "./kinds.tsx";

/** What waits for a human on a task, without what this page has just handled. */
export function useOpenItems(task: number) {
  const { at } = useAddress();
  const state = useStore(handling);
  const { answer, position = 0, isOld } = useAnswer("inbox", { row: 0, limit: LIMIT, task });
  if (!answer || isOld) return [];
  return answer.lines.filter((line) => at !== undefined || isUnhandled(line, state, position));
}

const LIMIT = 200;

/** True for an item that a signal raised, whose card has the item's id as its position. */
export function isOfCard({ kind }: { readonly kind: Kind }): boolean {
  return ["question", "blocker", "contest", "proposal", "flag"].includes(kind);
}
