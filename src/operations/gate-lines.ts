import { howItEnded } from "../events/types/gate-runs.ts";
import { pc, quoteLine, tableLines } from "../lib/terminal/output.ts";
import { visibleLines } from "../lib/visible.ts";
import { lastResult } from "../projections/board/settlement.ts";
import type { TaskDetails } from "../queries/tasks.ts";

/**
 * The gates of a task as a table for people, with the full command below each row: a person who
 * decides on a gate must see every line that would run.
 */
export function gateLines(gates: TaskDetails["gates"]): string[] {
  const [head = "", ...rows] = tableLines(
    ["gate", "state", "approval", "attempts", "last attempt"],
    gates.map((gate) => {
      const end = lastResult(gate);
      return [
        gate.gate,
        gate.state,
        gate.approval === "unneeded" ? "" : gate.approval,
        `${gate.attempts}/${gate.max_attempts}`,
        end ? howItEnded(end) : "",
      ];
    }),
  );
  return [
    head,
    ...gates.flatMap(({ command, last_explanation }, place) => [
      rows[place] ?? "",
      ...visibleLines(command).map((line) => `${INDENT}${line}`),
      ...(last_explanation === null ? [] : [pc.dim(`${INDENT}(${quoteLine(last_explanation, 1_000)})`)]),
    ]),
  ];
}

const INDENT = "      ";
