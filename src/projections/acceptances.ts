import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, json, means, text } from "./table.ts";

const acceptancesTable = defineTable("acceptances", {
  description: "Every acceptance of a verified done by a human.",
  columns: {
    position: means(integer, "of the event"),
    task_id: integer,
    actor: means(text, "who accepted it, as the log names them"),
    created: text,
    findings: means(json, "array of the kinds of what was found in the workspace, which the human has seen"),
  },
  key: ["position"],
  indexes: { by_task: ["task_id", "position"] },
});

/** Who accepted what: the board keeps only the resulting status. */
export const acceptances = defineProjection({
  name: "acceptances",
  version: 2,
  tables: { acceptances: acceptancesTable },
  on: {
    "task.accepted": ({ payload, position, actor, recordedAt }, rows) =>
      rows.acceptances.insert({
        ...{ position, task_id: payload.task, actor, created: toSqlTime(recordedAt) },
        findings: JSON.stringify(payload.findings ?? []),
      }),
  },
});
