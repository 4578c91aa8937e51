import { Refusal } from "../decisions/refusal.ts";
import { endSession } from "../decisions/sessions.ts";
import type { Project } from "../project.ts";

/** Ends a session, which settles its task. False where somebody else has ended it: its task is theirs now. */
export async function endUnlessEnded(
  project: Project,
  ending: Parameters<typeof endSession>[0],
): Promise<boolean> {
  try {
    await project.decide(endSession(ending));
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "session_ended") return false;
    throw error;
  }
}
