import type { Draft, Event } from "../../src/events/types/index.ts";

/** A batch whose every event says which batch it belongs to, its own place in it, and how large it is. */
export function markedBatch(label: string, number: number, size: number): Draft<"comment.added">[] {
  return Array.from({ length: size }, (_, index) => ({
    type: "comment.added",
    payload: { task: 1 + (number % 3), author: label, body: `${label}-${number} ${index + 1}/${size}` },
    actor: "human",
  }));
}

export interface Mark {
  readonly batch: string;
  readonly place: number;
  readonly size: number;
}

/** @throws Error for an event that is not of a marked batch */
export function markOf({ payload }: Event): Mark {
  const [, batch, place, size] = /^(\S+) (\d+)\/(\d+)$/.exec("body" in payload ? payload.body : "") ?? [];
  if (batch === undefined) throw new Error("This event is of no marked batch.");
  return { batch, place: Number(place), size: Number(size) };
}

/** The positions of every batch in a log; throws if one is not there whole, in order, and in one piece. */
export function batchesOf(events: readonly Event[]): Map<string, number[]> {
  const batches = new Map<string, number[]>();
  for (let index = 0; index < events.length; ) {
    const first = events[index];
    if (!first) break;
    const { batch, size } = markOf(first);
    const whole = events.slice(index, index + size);
    const marks = whole.map(markOf);
    if (batches.has(batch) || marks.length < size) throw new Error(`Batch ${batch} is torn.`);
    for (const [place, mark] of marks.entries()) {
      if (mark.batch !== batch || mark.place !== place + 1) throw new Error(`Batch ${batch} is torn.`);
    }
    batches.set(
      batch,
      whole.map(({ position }) => position),
    );
    index += size;
  }
  return batches;
}
