import type { commentsTable } from "../comments.ts";
import { question } from "../question.ts";
import type { ReadView } from "../read-view.ts";
import type { Row } from "../table.ts";

/** The comments on a task with their present words, in the order in which they were written. */
export function listComments(readModel: ReadView, task: number): Row<typeof commentsTable>[] {
  return readModel.all(OF_TASK, { task });
}

const OF_TASK = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("comments").selectAll().where("task_id", "=", given("task")).orderBy("id"),
);
