import { flagCategories, severities } from "../../events/types/signals.ts";
import { defineTable, integer, means, oneOf, text } from "../table.ts";

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
  lookups: { by_session: ["session_id", "severity"] },
  indexes: {
    by_task: ["task_id", "id"],
    by_severity: ["severity", "id"],
  },
});
