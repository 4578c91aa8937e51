import type { Project } from "../api/project.ts";
import { passes } from "../events/types/command-result.ts";
import { howItEnded } from "../events/types/gate-runs.ts";
import { bearsOut, lastResult } from "../projections/board/settlement.ts";
import type { Gate } from "../projections/board/tables.ts";

/**
 * Why the done of a task's last session does not stand, for each gate that prevents it: `gate 1
 * failed: npm test …`.
 */
export async function whyUnverified({ queries }: Project, task: number): Promise<string[]> {
  const { gates = [], unverified_done } = (await queries.task(task)) ?? {};
  return unverified_done ? gates.filter((gate) => !bearsOut(gate)).map(whyNot) : [];
}

type ShownGate = Omit<Gate, "task_id">;

function whyNot(gate: ShownGate): string {
  const { command, approval } = gate;
  const last = lastResult(gate);
  if (approval === "waiting") return `gate ${gate.gate} is waiting for your approval: ${command}`;
  if (!last || passes(last)) return `gate ${gate.gate} was not run: ${command}`;
  const said = lastLine(gate.last_stderr) || lastLine(gate.last_stdout);
  return `gate ${gate.gate} failed: ${command} ${howItEnded(last)}${said === "" ? "" : `: ${said}`}`;
}

function lastLine(output: string | null): string {
  return (output ?? "").trimEnd().split("\n").at(-1)?.trim() ?? "";
}
