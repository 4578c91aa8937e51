import { addComment } from "../../../decisions/comments.ts";
import { HUMAN } from "../../../events/actors.ts";
import { commentAdded } from "../../../events/types/comments.ts";
import { defineAct } from "./act.ts";

/** Writes a comment on a task; it goes into the task's next prompt. */
export const commentAct = defineAct({
  name: "comment",
  input: commentAdded.payload.pick({ task: true, body: true }),
  plan: ({ task, body }) => addComment({ task, author: HUMAN, body }),
});
