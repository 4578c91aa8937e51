import { useRef } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useStore } from "../../store.ts";
import { handling, isUnhandled } from "./handling.ts";
import { type Kind, keyOf } from "./kinds.tsx";

/** What waits for a human on a task, without what this page has just handled. */
export function useOpenItems(task: number) {
  const { at } = useAddress();
  const state = useStore(handling);
  const { answer, position = 0, isOld } = useAnswer("inbox", { row: 0, limit: LIMIT, task });
  if (!answer || isOld) return [];
  return answer.lines.filter((line) => at !== undefined || isUnhandled(line, state, position));
}

/**
 * False until all that `OpenItems` shows of the task has arrived, so that it moves nothing below
 * it. Then true for good: it is called by a component that is keyed by the task.
 */
export function useOpenItemsLoaded(task: number): boolean {
  const wasLoaded = useRef(false);
  const address = useAddress();
  const { answer, error, isOld } = useAnswer("inbox", { row: 0, limit: LIMIT, task });
  const first = firstOf(answer?.lines ?? [], address.get("item"));
  const item = useAnswer(
    "inbox_item",
    { kind: first?.kind ?? "flag", id: first?.id ?? 0 },
    { enabled: first !== undefined },
  );
  const undoable = useAnswer("undoable", {});
  const isFirstLoaded = first === undefined || item.error !== undefined || (item.answer && !item.isOld);
  if (error || (answer && !isOld && isFirstLoaded && !undoable.isLoading)) wasLoaded.current = true;
  return wasLoaded.current;
}

/** The item whose key or kind is `named`, or else the most urgent one. */
export function firstOf<Item extends { readonly kind: Kind; readonly id: number }>(
  items: readonly Item[],
  named: string | undefined,
): Item | undefined {
  return items.find((item) => keyOf(item) === named) ?? items.find(({ kind }) => kind === named) ?? items[0];
}

const LIMIT = 200;
