import { toSqlTime } from "../events/time.ts";
import { flagCategories, severities } from "../events/types/signals.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, oneOf, text } from "./table.ts";

export const flagsTable = defineTable("flags", {
  description: "Problems that agents reported.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: integer,
    session_id: text,
    what: text,
    severity: oneOf(severities),
    category: oneOf(flagCategories),
    created: text,
  },
  key: ["id"],
  indexes: {
    by_task: ["task_id", "id"],
    by_session: ["session_id", "severity"],
    by_severity: ["severity", "id"],
  },
});

/** Problems that agents reported, late ones too. */
export const flags = defineProjection({
  name: "flags",
  version: 1,
  tables: { flags: flagsTable },
  on: {
    "signal.flag": ({ position, payload, recordedAt }, rows) =>
      rows.flags.insert({
        id: position,
        task_id: payload.task,
        session_id: payload.session,
        what: payload.what,
        severity: payload.severity,
        category: payload.category,
        created: toSqlTime(recordedAt),
      }),
  },
});
