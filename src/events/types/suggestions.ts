import { z } from "zod";
import { defineEvent } from "../event.ts";
import { position, taskId, taskStream } from "./fields.ts";

/**
 * A suggestion's id is the position of its `signal.suggest`; `task` is the draft created from it.
 */
const suggestion = { task: taskId, suggestion: position };

const suggestionApproved = defineEvent({
  type: "suggestion.approved",
  version: 1,
  description: "A human approved a task that an agent proposed; the draft is pending.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} approved`,
  example: { task: 8, suggestion: 44 },
});

const suggestionRejected = defineEvent({
  type: "suggestion.rejected",
  version: 1,
  description: "A human rejected a task that an agent proposed; the draft is skipped.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} rejected`,
  example: { task: 8, suggestion: 44 },
});

const suggestionReopened = defineEvent({
  type: "suggestion.reopened",
  version: 1,
  description: "A human undid an approval or a rejection; the task is a draft again.",
  payload: z.strictObject(suggestion),
  stream: taskStream,
  timeline: ({ suggestion: id }) => `Suggestion ${id} is undecided again`,
  example: { task: 8, suggestion: 44 },
});

/** Every event of this family, in the order of docs/events.md. */
export const suggestionEvents = [suggestionApproved, suggestionRejected, suggestionReopened] as const;
