import { z } from "zod";
import { compareStates, eventAt } from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/**
 * Differences from A to B, one line each, whichever is earlier. A is the position of the query, B is
 * `to`, or the head if `to` is beyond it.
 */
export const compareAnswer = defineAnswer({
  name: "compare",
  query: z.strictObject({ to: wholeNumber(0), after: wholeNumber(0).optional() }),
  answer: async ({ log, readModel, position, whole, beside }, { to: asked, after: skipped = 0 }) => {
    const other = Math.min(asked, await whole.head());
    const isForward = position <= other;
    const { counts, changes } = await beside(other, (there) =>
      isForward
        ? compareStates(readModel, there, { from: position, to: other })
        : compareStates(there, readModel, { from: other, to: position }),
    );
    const [a_time, b_time] = await Promise.all([position, other].map(timeOf));
    const total = changes.length;
    // An offset beyond the end means the last page.
    const after = Math.min(skipped, PAGE * Math.max(0, Math.ceil(total / PAGE) - 1));
    const rows = changes.slice(after, after + PAGE);
    return {
      a: { position, time: a_time ?? null },
      b: { position: other, time: b_time ?? null },
      /** Counts of changes between both. */
      counts,
      total,
      /** The offsets of this page, the previous and the next one. */
      after,
      previous: after === 0 ? null : Math.max(0, after - PAGE),
      next: after + PAGE < total ? after + PAGE : null,
      rows: isForward ? rows : rows.map((row) => ({ ...row, from: row.to, to: row.from })),
    };

    async function timeOf(at: number): Promise<string | null> {
      const event = await eventAt(at > position ? whole : log, at);
      return event?.recordedAt ?? null;
    }
  },
});

const PAGE = 200;
