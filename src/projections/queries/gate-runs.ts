import { commandResult } from "../../events/types/command-result.ts";
import { gateStarted } from "../../events/types/gate-runs.ts";
import { type GateRunRow, gateRunsTable } from "../gate-runs.ts";
import type { ReadView } from "../read-view.ts";

/** A run of a gate's command as users see it: the columns of the table, what is JSON there as values. */
export interface GateRunView extends Omit<GateRunRow, "left_behind" | "runner"> {
  readonly left_behind: ReturnType<typeof leftBehindIn>;
  readonly runner: ReturnType<typeof runnerIn> | null;
  /** Whether the workspace's files changed while it ran; null where that is not known. */
  readonly workspace_changed: boolean | null;
}

/** The runs of a task's gates, or of one of them, attempts and baselines, in their order. Those of deleted tasks are there too. */
export function listGateRuns(
  readModel: ReadView,
  { task, gate }: { readonly task: number; readonly gate?: number | undefined },
): GateRunView[] {
  return runsOf(readModel)
    .where({ task_id: task, ...(gate !== undefined && { gate }) })
    .map(viewRun);
}

/** The runs of gates whose end is not recorded, in their order. */
export function openGateRuns(readModel: ReadView): GateRunRow[] {
  return runsOf(readModel).where({ state: "running" });
}

/** The attempts at a gate, or its baselines, in their order. */
export function gateRunsOf(
  readModel: ReadView,
  of: { readonly task: number; readonly gate: number },
  kind: GateRunRow["kind"] = "attempt",
): GateRunRow[] {
  return runsOf(readModel).where({ task_id: of.task, gate: of.gate, kind });
}

function runsOf(readModel: ReadView) {
  return readModel.rowsOf({ runs: gateRunsTable }).runs;
}

function viewRun({ left_behind, runner, ...run }: GateRunRow): GateRunView {
  const { workspace_before: before, workspace_after: after } = run;
  return {
    ...run,
    left_behind: leftBehindIn(left_behind),
    runner: runner === null ? null : runnerIn(runner),
    workspace_changed: before === null || after === null ? null : before !== after,
  };
}

function leftBehindIn(text: string) {
  return commandResult.shape.left_behind.parse(JSON.parse(text));
}

/** Who runs it, from the column `runner`. */
export function runnerIn(text: string) {
  return gateStarted.payload.shape.runner.parse(JSON.parse(text));
}
