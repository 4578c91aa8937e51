import { flagCategories, severities } from "../../events/types/signals.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "../table.ts";

export const flagsTable = defineTable("flags", {
  description: "Problems that agents reported.",
  columns: {
    id: means(integer, "the position of the signal"),
    task_id: integer,
    session_id: text,
    what: text,
    severity: oneOf(severities),
    category: oneOf(flagCategories),
    acted_at: means(nullable(integer), "the position of its acknowledgement by a human"),
    acted_in: means(
      nullable(text),
      "the decision that acted, which several items acted on together have in common; NULL if it was sent without a key",
    ),
    acted_by: means(nullable(text), "who acknowledged it, as the log names them"),
    created: text,
  },
  key: ["id"],
  lookups: { by_session: ["session_id", "severity"] },
  indexes: {
    by_task: ["task_id", "id"],
    by_severity: ["severity", "id"],
    by_act: ["acted_at"],
  },
});
