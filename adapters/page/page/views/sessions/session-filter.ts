import { defineFilter, type FilterOf, oneOf, taskNumber } from "../../filter.ts";

export const outcomes = ["success", "partial", "failure", "timeout", "cancelled"] as const;

/** The filter of the sessions, in the address and in requests. */
export const sessionFilter = defineFilter({
  task: taskNumber,
  outcome: oneOf(outcomes),
  running: oneOf(["yes", "no"]),
});

export type SessionFilter = FilterOf<typeof sessionFilter>;

/** The filter in words; empty without a filter. */
export function filterInWords({ task, outcome, running }: SessionFilter): string {
  return [
    running === undefined ? "" : running === "yes" ? "running" : "ended",
    outcome === undefined ? "" : `outcome ${outcome}`,
    task === undefined ? "" : `task #${task}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
