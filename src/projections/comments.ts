import { priorities } from "../events/types/fields.ts";
import type { Event } from "../events/types/index.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "./table.ts";

export const commentsTable = defineTable("comments", {
  description: "Comments on tasks, including those with which a human sent a task back or let it go on.",
  columns: {
    id: means(integer, "the position of the event"),
    task_id: integer,
    author: means(
      text,
      "the signature of the last writer; someone who edits another's comment signs as its `actor`",
    ),
    actor: means(text, "who wrote the current text"),
    body: text,
    discipline: nullable(text),
    priority: nullable(oneOf(priorities)),
    created: text,
    updated: means(nullable(text), "when its text was last changed"),
    changed_position: means(nullable(integer), "the position of that change"),
  },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"] },
});

/** Comments of people and agents on tasks, including those of a human's act. */
export const comments = defineProjection({
  name: "comments",
  version: 4,
  tables: { comments: commentsTable },
  on: {
    "comment.added": ({ position, payload, actor, recordedAt }, rows) =>
      rows.comments.insert({
        id: position,
        task_id: payload.task,
        author: payload.author,
        actor,
        body: payload.body,
        discipline: payload.discipline ?? null,
        priority: payload.priority ?? null,
        created: toSqlTime(recordedAt),
      }),
    "comment.changed": ({ position, payload: { comment, body }, actor, recordedAt }, rows) => {
      const before = rows.comments.get(comment);
      // The last editor is the author; a signature applies only to its writer's own words.
      const author = before?.actor === actor ? before.author : actor;
      const updated = toSqlTime(recordedAt);
      rows.comments.update(comment, { body, author, actor, updated, changed_position: position });
    },
    "comment.deleted": ({ payload }, rows) => rows.comments.delete(payload.comment),
    "task.sent_back": (event, rows) => commentWithAct(rows, event, event.payload.comment),
    "task.continued": (event, rows) => {
      const { hint } = event.payload;
      if (hint !== undefined) commentWithAct(rows, event, hint);
    },
  },
});

function commentWithAct(
  rows: RowsOf<{ comments: typeof commentsTable }>,
  { position, payload: { task }, actor, recordedAt }: Event<"task.sent_back" | "task.continued">,
  body: string,
): void {
  const created = toSqlTime(recordedAt);
  rows.comments.insert({ id: position, task_id: task, author: actor, actor, body, created });
}
