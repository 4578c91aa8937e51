import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, text } from "./table.ts";

const acceptancesTable = defineTable("acceptances", {
  description: "Every acceptance of a verified done by a human.",
  columns: {
    position: means(integer, "of the event"),
    task_id: integer,
    actor: means(text, "who accepted it, as the log names them"),
    created: text,
  },
  key: ["position"],
  indexes: { by_task: ["task_id", "position"] },
});

/** Who accepted what: the board keeps only the resulting status. */
export const acceptances = defineProjection({
  name: "acceptances",
  version: 1,
  tables: { acceptances: acceptancesTable },
  on: {
    "task.accepted": ({ payload, position, actor, recordedAt }, rows) =>
      rows.acceptances.insert({ position, task_id: payload.task, actor, created: toSqlTime(recordedAt) }),
  },
});
