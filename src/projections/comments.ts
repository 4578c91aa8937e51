import { priorities } from "../events/types/fields.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "./table.ts";

export const commentsTable = defineTable("comments", {
  description: "Comments on tasks, including those with which a task was sent back.",
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

/**
 * Comments of people and agents on tasks, including the comment with which a human returns a task.
 */
export const comments = defineProjection({
  name: "comments",
  version: 3,
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
    "task.sent_back": ({ position, payload, actor, recordedAt }, rows) =>
      rows.comments.insert({
        id: position,
        task_id: payload.task,
        author: actor,
        actor,
        body: payload.comment,
        created: toSqlTime(recordedAt),
      }),
  },
});
