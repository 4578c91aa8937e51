import { z } from "zod";
import { eventAt } from "../../../events/event-at.ts";
import { compareStates } from "../../../replay/time-travel/compare-states.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/**
 * What is otherwise at B than at A, a line for each thing, whichever is earlier. A is the position that is asked as of, B the
 * nearest to `to` that there is.
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
    // A page that was left behind by another comparison is the last one.
    const after = Math.min(skipped, PAGE * Math.max(0, Math.ceil(total / PAGE) - 1));
    const rows = changes.slice(after, after + PAGE);
    return {
      a: { position, time: a_time ?? null },
      b: { position: other, time: b_time ?? null },
      /** What came to be between both. */
      counts,
      total,
      /** How many lines come before these; where the page before and the next one begin. */
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
