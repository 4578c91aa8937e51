import { toSqlTime } from "../events/time.ts";
import type { Event } from "../events/types/index.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, text } from "./table.ts";

export const commentsTable = defineTable("comments", {
  columns: { id: integer, task_id: integer, author: text, body: text, created: text },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"] },
});

const tables = { comments: commentsTable };

/** What people wrote on tasks; the comment with which a human sends a task back is one too. */
export const comments = defineProjection({
  name: "comments",
  version: 1,
  tables,
  on: {
    "comment.added": (event, rows) => keep(rows, event, event.payload.author, event.payload.body),
    "task.sent_back": (event, rows) => keep(rows, event, event.actor, event.payload.comment),
  },
});

function keep(
  rows: RowsOf<typeof tables>,
  event: Event<"comment.added" | "task.sent_back">,
  author: string,
  body: string,
): void {
  rows.comments.insert({
    id: event.position,
    task_id: event.payload.task,
    author,
    body,
    created: toSqlTime(event.recordedAt),
  });
}
