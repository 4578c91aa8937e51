import { openGateRuns, runnerIn } from "../projections/queries/gate-runs.ts";
import type { ReadModel } from "../projections/read-model.ts";
import { runnersAround } from "./gate-mark.ts";
import { Refusal } from "./refusal.ts";

/**
 * A gate's command says by its exit code what it has found, and records nothing: it would decide in the name of whoever runs it.
 * One that tries out signalbox in another project does so as anybody.
 *
 * @throws Refusal `in_gate`: this process is a part of a gate of this very project that is being run
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
