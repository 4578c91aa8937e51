import { z } from "zod";
import { addComment, changeComment, deleteComment } from "../../decisions/comments.ts";
import { commentAdded, commentChanged } from "../../events/types/comments.ts";
import { position } from "../../events/types/fields.ts";
import { CHANGING, CREATING, DELETING, decideFor, defineTool } from "../tool.ts";

const { task, author, body, discipline, priority } = commentAdded.payload.shape;
const target = { field: "task_id", of: "task" } as const;

/** Seed 001's comment tools. */
export const commentTools = [
  defineTool({
    name: "add_task_comment",
    title: "Comment on a task",
    description:
      "Write a comment on a task, for its timeline and its next prompt, where it is quoted as an agent's.",
    input: z.strictObject({
      task_id: task,
      author: author.describe("How you sign."),
      body,
      discipline,
      priority,
    }),
    output: z.strictObject({ comment_id: position }),
    annotations: CREATING,
    command: "comment add",
    example: { task_id: 7, author: "backend", body: "The parser is shared with task 9." },
    target,
    async run({ task_id, ...comment }, call) {
      const [event] = await decideFor(call, addComment({ task: task_id, ...comment }));
      return { comment_id: event.position };
    },
  }),
  defineTool({
    name: "update_task_comment",
    title: "Change a comment",
    description: "Give a comment other words. Fails if they are a human's.",
    input: z.strictObject({ task_id: task, comment_id: position, body: commentChanged.payload.shape.body }),
    output: z.strictObject({ comment_id: position, body: z.string() }),
    annotations: CHANGING,
    command: "comment edit",
    example: { task_id: 7, comment_id: 31, body: "The parser is shared with tasks 9 and 12." },
    target,
    async run({ task_id, comment_id, body }, call) {
      await decideFor(call, changeComment({ task: task_id, comment: comment_id, body }));
      return { comment_id, body };
    },
  }),
  defineTool({
    name: "delete_task_comment",
    title: "Delete a comment",
    description: "Take a comment out of the timeline and of prompts. Fails if its words are a human's.",
    input: z.strictObject({ task_id: task, comment_id: position }),
    output: z.strictObject({ deleted: position }),
    annotations: DELETING,
    command: "comment delete",
    example: { task_id: 7, comment_id: 31 },
    target,
    async run({ task_id, comment_id }, call) {
      await decideFor(call, deleteComment({ task: task_id, comment: comment_id }));
      return { deleted: comment_id };
    },
  }),
] as const;
