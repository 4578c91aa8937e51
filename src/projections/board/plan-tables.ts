import { planFaults } from "../../events/types/plans.ts";
import { defineTable, integer, json, means, nullable, oneOf, text } from "../table.ts";

export const plans = defineTable("plans", {
  description: "Plans: what a session without a task proposes, from a human's text.",
  columns: {
    plan: means(integer, "1, 2, 3, …"),
    begun: means(integer, "the position at which it began; the id of its item in the inbox"),
    session_id: text,
    text: means(text, "what the human wrote"),
    feature: means(nullable(text), "as the human named it"),
    again: means(nullable(integer), "the plan whose undecided drafts it replaces"),
    state: means(
      oneOf(["open", "proposed", "decided", "empty"]),
      "open: its session runs; proposed: drafts wait for a human; empty: it proposed none",
    ),
    tasks: means(integer, "the tasks that it proposed"),
    drafts: means(integer, "those of them that no human has decided on"),
    confirmed: means(json, "array of the ids of tasks that it proposed and that were drafts already"),
    ended: means(
      nullable(integer),
      "the position at which its session ended: approval includes no gate that an agent declared later",
    ),
    created: text,
  },
  key: ["plan"],
  lookups: { by_session: ["session_id"], by_begun: ["begun"], by_state: ["state"] },
});

export const planFaultsTable = defineTable("plan_faults", {
  description: "What a program found wrong with a plan, when it was last checked.",
  columns: {
    plan: integer,
    nth: integer,
    kind: oneOf(planFaults),
    task_id: nullable(integer),
    says: text,
  },
  key: ["plan", "nth"],
});
