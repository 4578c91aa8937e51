import type { QueryOf } from "../../../server/answers/index.ts";
import type { Address } from "../../address.ts";

export const outcomes = ["success", "partial", "failure", "timeout", "cancelled"] as const;

export type Filter = QueryOf<"session_totals">;

/** The filter that the address has, or what is wrong with it. */
export function filterIn(address: Pick<Address, "get">): Filter | { readonly wrong: string } {
  const [task, outcome, running] = [address.get("task"), address.get("outcome"), address.get("running")];
  if (task !== undefined && !/^[1-9]\d{0,14}$/.test(task)) {
    return { wrong: `"${task}" is no task's number.` };
  }
  const known = outcomes.find((one) => one === outcome);
  if (outcome !== undefined && !known) {
    return { wrong: `There is no outcome "${outcome}"; there are ${outcomes.join(", ")}.` };
  }
  if (running !== undefined && running !== "yes" && running !== "no") {
    return { wrong: `"running" is yes or no, and not "${running}".` };
  }
  return {
    task: task === undefined ? undefined : Number(task),
    outcome: known,
    running,
  };
}

export const NO_FILTER = { task: undefined, outcome: undefined, running: undefined };

/** The filter in words; empty where there is none. */
export function filterInWords({ task, outcome, running }: Filter): string {
  return [
    running === undefined ? "" : running === "yes" ? "running" : "ended",
    outcome === undefined ? "" : `outcome ${outcome}`,
    task === undefined ? "" : `task #${task}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
