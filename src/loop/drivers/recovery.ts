import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../decisions/refusal.ts";
import { endSession } from "../../decisions/sessions.ts";
import type { Project } from "../../project.ts";
import { endGroup } from "../agent/process.ts";
import { agentGroupOf } from "../run-folder.ts";
import { isAlive } from "./registry.ts";

export interface Recovered {
  readonly session: string;
  readonly task: number;
  readonly driver: string;
  /** True if its agent was still running, and was ended. */
  readonly agentRan: boolean;
}

/**
 * Ends the sessions that a driver left open which is gone: first the agent, if it still runs, so that no task is worked on
 * twice; then the session, as `crashed`, which settles its task. Sessions without a driver are nobody's to end.
 */
export async function recover(project: Project, readModelPath: string): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const { id: session, task_id: task, driver } of await project.queries.sessions({ open: true })) {
    if (driver === null || isAlive(readModelPath, driver)) continue;
    const agentRan = await endOrphan(readModelPath, session);
    const ended = await endAsCrashed(project, session, driver);
    if (ended) recovered.push({ session, task, driver, agentRan });
  }
  return recovered;
}

async function endAsCrashed(project: Project, session: string, driver: string): Promise<boolean> {
  try {
    await project.decide(
      endSession({ session, exit: "crashed", reason: `its driver ${driver} was gone and had left it open` }),
    );
    return true;
  } catch (error) {
    // Somebody else has recovered it meanwhile.
    if (error instanceof Refusal && error.code === "session_ended") return false;
    throw error;
  }
}

/** Ends the agent of a session whose driver is gone. True if there was one. */
export async function endOrphan(readModelPath: string, session: string): Promise<boolean> {
  let group = agentGroupOf(readModelPath, session);
  // A driver that was killed between the claim and the agent's first step: that step is made within a moment, or never.
  for (let waited_ms = 0; group === undefined && waited_ms < FIRST_STEP_MS; waited_ms += LOOK_MS) {
    await delay(LOOK_MS);
    group = agentGroupOf(readModelPath, session);
  }
  if (group === undefined || !isAgentOf(group, session)) return false;
  await endGroup(group, GRACE_MS);
  return true;
}

const FIRST_STEP_MS = 1_000;
const LOOK_MS = 50;
const GRACE_MS = 2_000;

/** A number of a process may have gone to another one; the agent's environment bears its session's name. */
function isAgentOf(pid: number, session: string): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return groupIsThere(pid);
  }
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`RALPH_SESSION_ID=${session}`);
  } catch {
    // Where the system does not tell, the number has to do.
    return process.platform !== "linux";
  }
}

/** The agent has gone, and left processes of its group behind. */
function groupIsThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
