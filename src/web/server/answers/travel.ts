import { z } from "zod";
import { eventAt } from "../../../events/event-at.ts";
import type { EventLog } from "../../../events/log.ts";
import { fromIsoTime } from "../../../events/time.ts";
import { countMarks, type MarkKind, marksAround, marksBeside } from "../../../projections/queries/marks.ts";
import { defineAnswer } from "./answer.ts";
import { linesOf } from "./log.ts";
import { wholeNumber } from "./query.ts";

/** A part of the log as the time bar draws it. */
export interface Bucket {
  /** Its first and its last position. */
  readonly first: number;
  readonly last: number;
  /** Milliseconds from the event before it to its last one. */
  readonly took_ms: number;
  /** How many marks of each kind it has. */
  readonly marks: Readonly<Partial<Record<MarkKind, number>>>;
  /** The longest pause found in it, where it is one of the longest of all parts: after which position, and how long. */
  readonly idle: { readonly after: number; readonly ms: number } | null;
}

/** Positions after `from` up to `to` in at most 300 buckets: how fast events came, what is marked, when nothing happened. */
export const travelAnswer = defineAnswer({
  name: "travel",
  query: z.strictObject({ from: wholeNumber(0), to: wholeNumber(0) }),
  answer: async ({ log, readModel, position }, { from, to: asked }): Promise<Bucket[]> => {
    const to = Math.min(asked, position);
    if (to <= from) return [];
    const parts = Math.min(BUCKETS, to - from);
    const counts = countMarks(readModel, { from, to, parts });
    const times = timesIn(log);
    // The part of a position p is the whole part of (p - from - 1) * parts / (to - from).
    const lastOf = (part: number) => from + Math.ceil(((part + 1) * (to - from)) / parts);
    const buckets: Omit<Bucket, "idle">[] = [];
    for (let part = 0; part < parts; part++) {
      const before = part === 0 ? from : lastOf(part - 1);
      const last = lastOf(part);
      const took_ms = (await times(last)) - (await times(Math.max(before, 1)));
      buckets.push({ first: before + 1, last, took_ms, marks: {} });
    }
    for (const { part, kind, marks } of counts) {
      const bucket = buckets[part];
      if (bucket) buckets[part] = { ...bucket, marks: { ...bucket.marks, [kind]: marks } };
    }
    const idle = await longestPauses(times, buckets);
    return buckets.map((bucket) => ({ ...bucket, idle: idle.get(bucket.first) ?? null }));
  },
});

/** The nearest positions before and after one at which a session ended, a status changed or a human acted. */
export const marksAnswer = defineAnswer({
  name: "marks",
  query: z.strictObject({ position: wholeNumber(0) }),
  answer: ({ readModel }, { position }) => marksBeside(readModel, position),
});

/** The marks around a position, the nearest ones on either side, in the order of the log: what they are, in words. */
export const marksAroundAnswer = defineAnswer({
  name: "marks_around",
  query: z.strictObject({ position: wholeNumber(0) }),
  answer: async ({ log, readModel }, { position }) => {
    const marks = marksAround(readModel, position, MARKS_A_SIDE);
    const events = await Promise.all(marks.map((mark) => eventAt(log, mark.position)));
    const lines = linesOf(
      events.filter((event) => event !== undefined),
      readModel,
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
/** A pause that may be worth a mark, if it is among the longest of the range. */
const IDLE_MS = 300_000;
/** One in so many parts has one of the longest pauses: what covers the bar says nothing. */
const PARTS_FOR_A_PAUSE = 20;

/** When events were recorded, in milliseconds; each is read once. */
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

/** The longest pauses of a range by the first position of their part; one part at least may have one. */
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

/** Halves the range towards the side that took longer: of one long pause among short steps, that finds it. */
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
