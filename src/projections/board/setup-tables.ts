import { defineTable, integer, means, nullable, text } from "../table.ts";

export const failedSetups = defineTable("failed_setups", {
  description:
    "The setup of a worktree that failed last, until one passes, or its task starts or is set by a human; at most one.",
  columns: {
    position: means(integer, "of its event; the id of its item in the inbox"),
    task_id: means(integer, "whose worktree it was"),
    command: text,
    output: text,
    explanation: nullable(text),
  },
  key: ["position"],
});
