import type { HostView } from "./hosts.ts";

/** Whether somebody should look after a host: it is silent, and has left something open. */
export function isAlarming({
  state,
  sessions,
  gate_runs,
}: Pick<HostView, "state" | "sessions" | "gate_runs">): boolean {
  return state === "suspect" && sessions.length + gate_runs.length > 0;
}
