import type { commentsTable } from "../comments.ts";
import { question } from "../question.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

/** The comments on a task with their present words, in the order in which they were written. */
export function listComments(readModel: ReadModel, task: number): Row<typeof commentsTable>[] {
  return readModel.all(OF_TASK, { task });
}

const OF_TASK = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("comments").selectAll().where("task_id", "=", given("task")).orderBy("id"),
);
