import type { commentsTable } from "../comments.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

/** The comments on a task with their present words, in the order in which they were written. */
export function listComments(readModel: ReadModel, task: number): Row<typeof commentsTable>[] {
  return readModel
    .prepared<[number], Row<typeof commentsTable>>("SELECT * FROM comments WHERE task_id = ? ORDER BY id")
    .all(task);
}
