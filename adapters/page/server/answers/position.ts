import { z } from "zod";
import { changedAt, eventAt } from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { linesOf } from "./log.ts";
import { wholeNumber } from "./query.ts";

/** The event at a position, and what it changed; null before the first event. */
export const positionAnswer = defineAnswer({
  name: "position",
  query: z.strictObject({ position: wholeNumber(0) }),
  answer: async ({ log, readModel }, { position }) => {
    const event = await eventAt(log, position);
    const [line] = event ? await linesOf([event], readModel, log) : [];
    if (!event || !line) return null;
    const { tasks, sessions, learnings } = changedAt(readModel, position);
    const named = "learning" in event.payload ? [event.payload.learning] : [];
    return {
      ...line,
      stream: event.stream,
      changed: {
        tasks: [...new Set([...(line.task === null ? [] : [line.task]), ...tasks])],
        sessions: [...new Set([...(line.session === null ? [] : [line.session]), ...sessions])],
        learnings: [...new Set([...named, ...learnings])],
      },
    };
  },
});
