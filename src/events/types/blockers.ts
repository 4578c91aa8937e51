import { z } from "zod";
import { defineEvent } from "../event.ts";
import { position, taskId, taskStream } from "./fields.ts";

/** A blocker's id is the position of its `signal.blocked`. */
const blocker = { task: taskId, blocker: position };

const blockerResolved = defineEvent({
  type: "blocker.resolved",
  version: 1,
  description: "A human resolved a blocker: it is gone.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} resolved`,
  example: { task: 7, blocker: 43 },
});

const blockerDismissed = defineEvent({
  type: "blocker.dismissed",
  version: 1,
  description: "A human dismissed a blocker.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} dismissed`,
  example: { task: 7, blocker: 43 },
});

const blockerReopened = defineEvent({
  type: "blocker.reopened",
  version: 1,
  description: "A human undid a resolution or a dismissal; the blocker is in its earlier state again.",
  payload: z.strictObject(blocker),
  stream: taskStream,
  timeline: ({ blocker: id }) => `Blocker ${id} is in its earlier state again`,
  example: { task: 7, blocker: 43 },
});

/** Every event of this family, in the order of docs/events.md. */
export const blockerEvents = [blockerResolved, blockerDismissed, blockerReopened] as const;
