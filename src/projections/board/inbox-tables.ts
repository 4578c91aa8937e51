import { defineTable, flag, integer, nullable, oneOf } from "../table.ts";

/** Kinds of items that wait for a human, the most urgent first; each has a rank of its own. */
export const URGENCY = {
  gate: 1,
  question: 2,
  stall: 3,
  setup: 4,
  blocker: 5,
  contest: 6,
  plan: 7,
  proposal: 8,
  hold: 9,
  flag: 10,
  acceptance: 11,
  gate_approval: 12,
  merge: 13,
} as const;
export type ItemKind = keyof typeof URGENCY;
// Object.keys widens to string[]; the keys are these.
export const itemKinds = Object.keys(URGENCY) as ItemKind[];

/** What waits for a human, in the order of the inbox (inbox-items.ts). */
export const inboxItems = defineTable("inbox_items", {
  columns: {
    rank: integer,
    id: integer,
    kind: oneOf(itemKinds),
    task_id: nullable(integer),
    blocks_work: flag,
  },
  key: ["rank", "id", "kind"],
  lookups: { by_task: ["task_id", "kind"] },
  indexes: { by_id: ["id", "kind"] },
});

/** Item counts by kind, and how many of them block work; kept so that readers need not count. */
export const inboxCounts = defineTable("inbox_counts", {
  columns: { kind: oneOf(itemKinds), items: integer, blocking: integer },
  key: ["kind"],
});
