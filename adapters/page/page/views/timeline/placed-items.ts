import { useOpenItems } from "../../parts/inbox-item/use-open-items.ts";

/** An open item of a task with the position of its card. */
export type PlacedItem = ReturnType<typeof usePlacedItems>[number];

/**
 * What waits for a human on a task. An item's id is the position of the event that raised it, whose card
 * has it; but a proposal was raised on another task, so the card of the draft's creation has it.
 *
 * @param added the position at which the task was added
 */
export function usePlacedItems(task: number, added: number) {
  return useOpenItems(task).map((item) => ({ ...item, place: item.task === task ? item.id : added }));
}
