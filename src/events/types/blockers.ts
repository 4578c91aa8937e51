import { z } from "zod";
import { defineEvent } from "../event.ts";
import { position, taskId, taskStream } from "./fields.ts";

/** A blocker's id is the position of its `signal.blocked`. */
const blocker = { task: taskId, blocker: position };

export const blockerResolved = defineEvent({
  type: "blocker.resolved",
  version: 1,
  description: "A human says that a blocker is out of the way.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} resolved`,
  example: { task: 7, blocker: 43 },
});

export const blockerDismissed = defineEvent({
  type: "blocker.dismissed",
  version: 1,
  description: "A human decided that a blocker does not matter.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} dismissed`,
  example: { task: 7, blocker: 43 },
});

export const blockerReopened = defineEvent({
  type: "blocker.reopened",
  version: 1,
  description: "A human took back a resolution or a dismissal; the blocker is as it was before.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} is as it was before`,
  example: { task: 7, blocker: 43 },
});

/** Every event of this family, in the order of docs/events.md. */
export const blockerEvents = [blockerResolved, blockerDismissed, blockerReopened] as const;
