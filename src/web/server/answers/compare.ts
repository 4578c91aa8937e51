import { z } from "zod";
import { eventAt } from "../../../events/event-at.ts";
import { compareStates } from "../../../replay/time-travel/compare-states.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** What is otherwise at one position than at another, a line for each thing, the earlier position first. */
export const compareAnswer = defineAnswer({
  name: "compare",
  query: z.strictObject({ to: wholeNumber(0), offset: wholeNumber(0).optional() }),
  answer: async ({ log, readModel, position, whole, beside }, { to: asked, offset = 0 }) => {
    const other = Math.min(asked, await whole.head());
    const isForward = position <= other;
    const { counts, changes } = await beside(other, (there) =>
      isForward
        ? compareStates(readModel, there, { from: position, to: other })
        : compareStates(there, readModel, { from: other, to: position }),
    );
    const times = await Promise.all([Math.min(position, other), Math.max(position, other)].map(timeOf));
    return {
      from: Math.min(position, other),
      to: Math.max(position, other),
      times,
      counts,
      total: changes.length,
      offset,
      rows: changes.slice(offset, offset + PAGE),
    };

    async function timeOf(at: number): Promise<string | null> {
      const event = await eventAt(at > position ? whole : log, at);
      return event?.recordedAt ?? null;
    }
  },
});

const PAGE = 200;
