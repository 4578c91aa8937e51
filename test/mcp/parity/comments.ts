import { addComment } from "../../../src/operations/comments.ts";
import { only, type Row } from "./row.ts";

/** The tenth event: the project's two, seven tasks, and this. */
const comment = 10;
/** An agent's, since no agent may touch what a human wrote. */
const given = [addComment({ task: 7, author: "backend", body: "The parser is shared." })];

export const commentRows = {
  add_task_comment: {
    call: {
      task_id: 7,
      author: "backend",
      body: "Shared with task 3.",
      discipline: "general",
      priority: "high",
    },
    command: [
      ...["comment", "add", "7", "Shared with task 3.", "--author", "backend"],
      ...["--discipline", "general", "--priority", "high"],
    ],
    shows: {
      answer: only("comment_id").transform(({ comment_id }) => comment_id),
      printed: only("id").transform(({ id }) => id),
    },
  },
  update_task_comment: {
    given,
    by: "agent",
    call: { task_id: 7, comment_id: comment, body: "It is shared with tasks 3 and 5." },
    command: ["comment", "edit", "7", String(comment), "It is shared with tasks 3 and 5."],
    shows: { answer: only("body"), printed: only("body") },
  },
  delete_task_comment: {
    given,
    by: "agent",
    call: { task_id: 7, comment_id: comment },
    command: ["comment", "delete", "7", String(comment)],
    shows: { answer: only("deleted"), printed: only("deleted") },
  },
} satisfies Record<string, Row>;
