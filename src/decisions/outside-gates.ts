import { openGateRuns, runnerIn } from "../queries/gate-runs.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { runnersAround } from "./gate-mark.ts";
import { Refusal } from "./refusal.ts";

/**
 * A gate's command reports through its exit code and must record nothing: it would decide in its
 * runner's name. Using signalbox in another project is allowed.
 *
 * @throws Refusal `in_gate`: this process is part of a running gate of this project
 */
export function requireOutsideGates(readModel: ReadModel): void {
  const around = runnersAround();
  if (around.size === 0) return;
  const run = openGateRuns(readModel).find(({ runner }) => runner && around.has(runnerIn(runner).mark));
  if (!run) return;
  throw new Refusal(
    "in_gate",
    `This command belongs to gate ${run.gate} of task ${run.task_id}, which is running. A gate's ` +
      "command only checks and cannot record anything: report the result by its exit code, and decide " +
      "outside of the gate.",
  );
}
