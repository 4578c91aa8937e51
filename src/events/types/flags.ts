import { z } from "zod";
import { defineEvent } from "../event.ts";
import { position, taskId, taskStream } from "./fields.ts";

/** A flag's id is the position of its `signal.flag`. */
const flag = { task: taskId, flag: position };

const flagAcknowledged = defineEvent({
  type: "flag.acknowledged",
  version: 1,
  description: "A human has seen a blocking flag; it leaves the inbox, and nothing else changes.",
  payload: z.strictObject(flag),
  stream: taskStream,
  timeline: ({ flag: id }) => `Flag ${id} acknowledged`,
  example: { task: 7, flag: 45 },
});

const flagReopened = defineEvent({
  type: "flag.reopened",
  version: 1,
  description: "A human undid an acknowledgement; the flag needs a human again.",
  payload: z.strictObject(flag),
  stream: taskStream,
  timeline: ({ flag: id }) => `Flag ${id} is not acknowledged any more`,
  example: { task: 7, flag: 45 },
});

/** Every event of this family, in the order of docs/events.md. */
export const flagEvents = [flagAcknowledged, flagReopened] as const;
