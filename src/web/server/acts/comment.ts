import { addComment } from "../../../decisions/comments.ts";
import { commentAdded } from "../../../events/types/comments.ts";
import { defineAct } from "./act.ts";

/** Writes a comment on a task; it goes into the task's next prompt. Who decides signs it. */
export const commentAct = defineAct({
  name: "comment",
  input: commentAdded.payload.pick({ task: true, body: true }),
  plan: ({ task, body }, _state, actor) => addComment({ task, author: actor, body }),
});
