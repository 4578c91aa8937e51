import type { Project } from "../api/project.ts";
import { Refusal } from "../decisions/refusal.ts";
import { recordInterrupted } from "../gates/interrupted.ts";
import { endSessionWith } from "../operations/sessions.ts";

/**
 * Ends a session, which settles its task. First records a running gate of its agent's server as
 * interrupted, since the settlement evaluates the gates. False if someone else has ended the
 * session and so settled its task.
 */
export async function endUnlessEnded(
  project: Project,
  ending: Parameters<typeof endSessionWith>[1],
  found: Parameters<typeof endSessionWith>[0] = {},
): Promise<boolean> {
  await recordInterrupted(project.store);
  try {
    await project.decide(endSessionWith(found, ending));
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "session_ended") return false;
    throw error;
  }
}
