import { z } from "zod";
import { defineEvent } from "../event.ts";
import { name, position, priority, taskId, taskStream, text } from "./fields.ts";

export const commentAdded = defineEvent({
  type: "comment.added",
  version: 2,
  description: "Someone commented on a task; the comment goes into the next prompt.",
  payload: z.strictObject({
    task: taskId,
    /** The writer's signature; the actor of the event says who really acted. */
    author: name,
    body: text,
    discipline: name.optional(),
    priority: priority.optional(),
  }),
  stream: taskStream,
  timeline: ({ body }) => body,
  example: { task: 7, author: "human", body: "Also test unicode URLs please." },
  upcasters: {
    /** Version 1 had neither discipline nor priority. */
    1: (payload) => payload,
  },
});

/** A comment's id is the position of its `comment.added`. */
const comment = { task: taskId, comment: position };

export const commentChanged = defineEvent({
  type: "comment.changed",
  version: 1,
  description: "A comment was edited; its earlier text stays in the log.",
  payload: z.strictObject({ ...comment, body: text }),
  stream: taskStream,
  timeline: ({ comment: id, body }) => `Comment ${id} changed: ${body}`,
  example: { task: 7, comment: 31, body: "Also test unicode and IDN URLs please." },
});

export const commentDeleted = defineEvent({
  type: "comment.deleted",
  version: 1,
  description: "A comment was removed from the timeline and from prompts; its text stays in the log.",
  payload: z.strictObject(comment),
  stream: taskStream,
  timeline: ({ comment: id }) => `Comment ${id} deleted`,
  example: { task: 7, comment: 31 },
});

/** Every event of this family, in the order of docs/events.md. */
export const commentEvents = [commentAdded, commentChanged, commentDeleted] as const;
