import { Refusal } from "../decisions/refusal.ts";
import { recordInterrupted } from "../gates/interrupted.ts";
import { endSession } from "../operations/sessions.ts";
import type { Project } from "../project/project.ts";

/**
 * Ends a session, which settles its task. A gate that its agent's server was running is recorded as interrupted before: the
 * settlement looks at the gates. False where somebody else has ended the session: its task is theirs now.
 */
export async function endUnlessEnded(
  project: Project,
  ending: Parameters<typeof endSession>[0],
): Promise<boolean> {
  await recordInterrupted(project.store);
  try {
    await project.decide(endSession(ending));
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "session_ended") return false;
    throw error;
  }
}
