import { defineTable, integer, oneOf } from "../table.ts";

/** Kinds of items that wait for a human, the most urgent first. */
export const URGENCY = {
  gate: 1,
  question: 2,
  blocker: 3,
  contest: 4,
  proposal: 5,
  hold: 6,
  flag: 7,
  gate_approval: 8,
  acceptance: 8,
  merge: 9,
} as const;
export type ItemKind = keyof typeof URGENCY;
// Object.keys widens to string[]; the keys are these.
export const itemKinds = Object.keys(URGENCY) as ItemKind[];

/** What waits for a human, in the order of the inbox (inbox-items.ts). */
export const inboxItems = defineTable("inbox_items", {
  columns: { rank: integer, id: integer, kind: oneOf(itemKinds), task_id: integer },
  key: ["rank", "id", "kind"],
  lookups: { by_task: ["task_id", "kind"] },
  indexes: { by_id: ["id", "kind"] },
});

/** Item counts by kind, kept so that readers need not count. */
export const inboxCounts = defineTable("inbox_counts", {
  columns: { kind: oneOf(itemKinds), items: integer },
  key: ["kind"],
});
