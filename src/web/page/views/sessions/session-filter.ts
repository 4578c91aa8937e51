import { defineFilter, type FilterOf, oneOf, taskNumber } from "../../filter.ts";

export const outcomes = ["success", "partial", "failure", "timeout", "cancelled"] as const;

/** Which sessions are wanted, as the address has it and the server is asked. */
export const sessionFilter = defineFilter({
  task: taskNumber,
  outcome: oneOf(outcomes),
  running: oneOf(["yes", "no"]),
});

export type SessionFilter = FilterOf<typeof sessionFilter>;

/** The filter in words; empty where there is none. */
export function filterInWords({ task, outcome, running }: SessionFilter): string {
  return [
    running === undefined ? "" : running === "yes" ? "running" : "ended",
    outcome === undefined ? "" : `outcome ${outcome}`,
    task === undefined ? "" : `task #${task}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
