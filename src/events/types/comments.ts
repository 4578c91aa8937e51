import { z } from "zod";
import { defineEvent } from "../event.ts";
import { name, taskId, taskStream, text } from "./fields.ts";

export const commentAdded = defineEvent({
  type: "comment.added",
  version: 1,
  description: "Someone wrote a comment on a task; it goes into the next prompt.",
  payload: z.strictObject({ task: taskId, author: name, body: text }),
  stream: taskStream,
  timeline: ({ body }) => body,
  example: { task: 7, author: "human", body: "Also test unicode URLs please." },
});
