import { type GateRunRow, gateRunsTable } from "../gate-runs.ts";
import type { ReadModel } from "../read-model.ts";

/** The runs of gates whose end is not recorded, in their order. */
export function openGateRuns(readModel: ReadModel): GateRunRow[] {
  return runsOf(readModel).where({ state: "running" });
}

/** The attempts at a gate, or its baselines, in their order. */
export function gateRunsOf(
  readModel: ReadModel,
  of: { readonly task: number; readonly gate: number },
  kind: GateRunRow["kind"] = "attempt",
): GateRunRow[] {
  return runsOf(readModel).where({ task_id: of.task, gate: of.gate, kind });
}

function runsOf(readModel: ReadModel) {
  return readModel.rowsOf({ runs: gateRunsTable }).runs;
}
