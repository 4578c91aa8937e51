import { verbs } from "../../events/types/signals.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "../table.ts";

export const signalsTable = defineTable("signals", {
  description: "Every signal as it came, including late ones.",
  columns: {
    id: means(integer, "its position"),
    task_id: integer,
    session_id: text,
    verb: oneOf(verbs),
    payload: means(json, "the arguments, in the order of the verb's definition, without task and session"),
    body: means(text, "the text for a timeline, Markdown"),
    blocking: means(nullable(flag), "of an ask: 1 if it blocks"),
    kind: means(nullable(text), "of learned, suggest and blocked the kind, of a flag the severity"),
    summary: means(nullable(text), "of done and partial"),
    remaining: means(nullable(text), "of partial"),
    reason: means(nullable(text), "of stuck"),
    discipline: means(
      nullable(text),
      "the task's discipline when the signal came; NULL if there was no such task",
    ),
    discipline_id: means(nullable(integer), "of that discipline, if it existed"),
    feature_id: means(
      nullable(integer),
      "of the feature that the signal names, otherwise of the feature that its task had, if it existed",
    ),
    actor: text,
    created: text,
  },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"], by_session: ["session_id", "id"], by_verb: ["verb", "id"] },
});
