import type { NewEvent } from "../../src/events/event.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { markedBatch } from "../events/marked-batch.ts";

/** A line of the children that work on a store that fails. */
export type Reported =
  | { readonly acknowledged: number; readonly positions: readonly number[] }
  | { readonly failed: string; readonly error: string; readonly code: string; readonly message: string };

/** A marked batch whose events have the same ids whenever and wherever it is sent. */
export function repeatableBatch(label: string, number: number): NewEvent[] {
  return markedBatch(label, number, 1 + (number % 5)).map((event, index) => ({
    ...event,
    id: idFromKey(label, String(number), String(index)),
  }));
}
