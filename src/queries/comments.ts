import type { commentsTable } from "../projections/comments.ts";
import type { Row } from "../projections/table.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** The comments on a task with their present words, in the order in which they were written. */
export function listComments(readModel: ReadView, task: number): Row<typeof commentsTable>[] {
  return readModel.all(OF_TASK, { task });
}

const OF_TASK = question<{ task: number }>()((tables, given) =>
  tables.selectFrom("comments").selectAll().where("task_id", "=", given("task")).orderBy("id"),
);
