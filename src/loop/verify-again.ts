import { howItEnded } from "../events/types/gate-runs.ts";
import { runGates } from "../gates/run-gates.ts";
import { mustVerifyAgain } from "../gates/verifying/verify-again.ts";
import { filesFingerprint } from "../lib/files-fingerprint.ts";
import { runFolderBeside } from "../lib/project-folder.ts";
import { catchUp } from "../read-model/worker.ts";
import type { Look } from "../workspace/workspace.ts";
import type { Claim } from "./claim.ts";
import type { Surroundings } from "./surroundings.ts";
import { isOfGates, whileOpen } from "./while-open.ts";

/**
 * Looks at the files that a session has left. Where it closed with done, and its gates passed on others, they run again (docs/rules.md,
 * Evidence); the pass of one that cannot does not count.
 *
 * @throws LogError, ReadModelError
 */
export async function lookVerified(claim: Claim, surroundings: Surroundings): Promise<Look | undefined> {
  const { session, task, workspace } = claim;
  const { project, config, readModelPath, tell } = surroundings;
  const look = claim.start && (await workspace.look());
  const { readModel, log } = project.store;
  await catchUp(readModel, log);
  // What others changed in a shared folder is not held against it.
  if (
    !look ||
    claim.shared ||
    !mustVerifyAgain(readModel, { task: task.id, session }, filesFingerprint(look.tree))
  )
    return look;
  await whileOpen(claim, surroundings, async (signal) => {
    try {
      await runGates(project, {
        ...{ task: task.id, session, config, signal, keepPasses: true },
        folder: workspace.folder,
        runFolder: runFolderBeside(readModelPath),
        onStart: ({ gate, command }) => tell({ step: "gate_started", session, task: task.id, gate, command }),
        onEnd({ gate, passed, result }) {
          if (!result) return;
          const { duration_ms } = result;
          tell({
            ...{ step: "gate_ended", session, task: task.id, gate, passed },
            ...{ how: howItEnded(result), duration_ms },
          });
        },
      });
    } catch (error) {
      if (!(signal.aborted && error === signal.reason) && !isOfGates(error)) throw error;
    }
  });
  return await workspace.look();
}
