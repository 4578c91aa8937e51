import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import {
  countMarks,
  type EventLog,
  eventAt,
  fromIsoTime,
  type MarkKind,
  marksAround,
  marksBeside,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { linesOf } from "./log.ts";
import { wholeNumber } from "./query.ts";

/** A part of the log in the time bar. */
export interface Bucket {
  /** Its first and last position. */
  readonly first: number;
  readonly last: number;
  /** Milliseconds from the event before it to its last event. */
  readonly took_ms: number;
  /** Counts of its marks by kind. */
  readonly marks: Readonly<Partial<Record<MarkKind, number>>>;
  /** Its longest gap between events, if that is among the longest of all parts. */
  readonly idle: { readonly after: number; readonly ms: number } | null;
}

/** Positions after `from` up to `to` in at most 300 buckets: event rate, marks and gaps. */
export const travelAnswer = defineAnswer({
  name: "travel",
  query: z.strictObject({ from: wholeNumber(0), to: wholeNumber(0) }),
  answer: async ({ log, readModel, position }, { from, to: asked }): Promise<Bucket[]> => {
    const to = Math.min(asked, position);
    if (to <= from) return [];
    const parts = Math.min(BUCKETS, to - from);
    const times = timesIn(log);
    const lastOf = (part: number) => from + Math.ceil(((part + 1) * (to - from)) / parts);
    const buckets: Omit<Bucket, "idle">[] = [];
    for (let part = 0; part < parts; part++) {
      // The view's own answer, which was asked for after this one, does not wait for all parts.
      if (part % PARTS_AT_ONCE === 0) await setImmediate();
      const before = part === 0 ? from : lastOf(part - 1);
      const last = lastOf(part);
      const took_ms = (await times(last)) - (await times(Math.max(before, 1)));
      const counts = countMarks(readModel, { after: before, until: last });
      const marks = Object.fromEntries(counts.map((count) => [count.kind, count.marks]));
      buckets.push({ first: before + 1, last, took_ms, marks });
    }
    const idle = await longestPauses(times, buckets);
    return buckets.map((bucket) => ({ ...bucket, idle: idle.get(bucket.first) ?? null }));
  },
});

/** The nearest marks before and after a position: session ends, status changes, human actions. */
export const marksAnswer = defineAnswer({
  name: "marks",
  query: z.strictObject({ position: wholeNumber(0) }),
  answer: ({ readModel }, { position }) => marksBeside(readModel, position),
});

/** The nearest marks on both sides of a position, in the order of the log, with their texts. */
export const marksAroundAnswer = defineAnswer({
  name: "marks_around",
  query: z.strictObject({ position: wholeNumber(0) }),
  answer: async ({ log, readModel }, { position }) => {
    const marks = marksAround(readModel, position, MARKS_A_SIDE);
    const events = await Promise.all(marks.map((mark) => eventAt(log, mark.position)));
    const lines = await linesOf(
      events.filter((event) => event !== undefined),
      readModel,
      log,
    );
    const words = new Map(lines.map((line) => [line.position, line]));
    return marks.map((mark) => ({
      ...mark,
      type: words.get(mark.position)?.type ?? "",
      text: words.get(mark.position)?.text ?? "",
      task: words.get(mark.position)?.task ?? null,
    }));
  },
});

const MARKS_A_SIDE = 25;

const BUCKETS = 300;
/** Marks up to the position no longer change, so they need not all be counted in one moment. */
const PARTS_AT_ONCE = 15;
/** Shorter gaps are never marked. */
const IDLE_MS = 300_000;
/** At most one in this many parts is marked as a gap. */
const PARTS_FOR_A_PAUSE = 20;

/** When events were recorded, in milliseconds, cached. */
function timesIn(log: EventLog): (position: number) => Promise<number> {
  const known = new Map<number, number>();
  return async (position) => {
    const kept = known.get(position);
    if (kept !== undefined) return kept;
    const event = await eventAt(log, position);
    const time = event ? Math.round(fromIsoTime(event.recordedAt) / 1_000) : 0;
    known.set(position, time);
    return time;
  };
}

/** The longest gaps of a range by the first position of their part. */
async function longestPauses(
  times: (position: number) => Promise<number>,
  buckets: readonly Omit<Bucket, "idle">[],
): Promise<ReadonlyMap<number, NonNullable<Bucket["idle"]>>> {
  const most = Math.ceil(buckets.length / PARTS_FOR_A_PAUSE);
  const slowest = buckets
    .filter(({ took_ms }) => took_ms >= IDLE_MS)
    .sort((a, b) => b.took_ms - a.took_ms)
    .slice(0, 2 * most);
  const found: [number, NonNullable<Bucket["idle"]>][] = [];
  for (const { first, last } of slowest) {
    const pause = await longestPause(times, Math.max(first - 1, 1), last);
    if (pause) found.push([first, pause]);
  }
  return new Map(found.sort(([, a], [, b]) => b.ms - a.ms).slice(0, most));
}

/** A binary search towards the slower half: finds one long gap among short ones. */
async function longestPause(
  times: (position: number) => Promise<number>,
  first: number,
  last: number,
): Promise<Bucket["idle"]> {
  let [from, to] = [first, last];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const time = await times(middle);
    if (time - (await times(from)) >= (await times(to)) - time) to = middle;
    else from = middle;
  }
  const ms = (await times(to)) - (await times(from));
  return ms < IDLE_MS ? null : { after: from, ms };
}
