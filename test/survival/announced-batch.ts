import type { Draft, Event } from "../../src/events/types/index.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { markedBatch, markOf } from "../events/marked-batch.ts";

/** A marked batch of 1 to 5 events that is the same, ids included, whichever process makes it. */
export function announcedBatch(label: string, number: number): (Draft<"comment.added"> & { id: string })[] {
  return markedBatch(label, number, 1 + (number % 5)).map((event, index) => ({
    ...event,
    id: idFromKey(batchName(label, number), String(index + 1)),
  }));
}

/** The name that a batch has in its marks. */
export function batchName(label: string, number: number): string {
  return `${label}-${number}`;
}

/** The id that an event of such a batch was sent with. */
export function idAsSent(event: Event): string {
  const { batch, place } = markOf(event);
  return idFromKey(batch, String(place));
}

/** What `children/write-announced.ts` says about its batches. */
export type Line = { readonly sending: number } | { readonly written: number } | Answer;

export interface Answer {
  readonly answered: number;
  readonly outcome: "appended" | "appended_before";
  readonly positions: readonly number[];
}

/** A line that was cut off by a kill says nothing. */
export function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
