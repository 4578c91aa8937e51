import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line } from "./fields.ts";

const workStream = (): string => "work";

export const workPaused = defineEvent({
  type: "work.paused",
  version: 1,
  description:
    "Someone paused the work: no driver starts a session until it is resumed; those that run go on.",
  payload: z.strictObject({
    /** Why, for people. */
    reason: line.optional(),
  }),
  stream: workStream,
  timeline: ({ reason }) => (reason === undefined ? "Work paused." : `Work paused: ${reason}`),
  example: { reason: "The new schema is being rolled out." },
});

const workResumed = defineEvent({
  type: "work.resumed",
  version: 1,
  description: "Someone resumed the work: drivers start sessions again.",
  payload: z.strictObject({}),
  stream: workStream,
  timeline: () => "Work resumed.",
  example: {},
});

/** Every event of this family, in the order of docs/events.md. */
export const workEvents = [workPaused, workResumed] as const;
