import { setTimeout as delay } from "node:timers/promises";
import { loadSandboxes } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import { workLeft } from "../../gates/verifying/session-work.ts";
import { platform } from "../../lib/platform/here.ts";
import { endGroup } from "../../lib/processes/group.ts";
import { SESSION_VARIABLE } from "../../mcp/session-variables.ts";
import { isLost } from "../../queries/hosts.ts";
import { endUnlessEnded } from "../end-session.ts";
import { agentGroupOf } from "../run-folder.ts";
import { judgeIn, type Standing, standingOf } from "./judge.ts";
import { listDrivers, signOff } from "./registry.ts";

export interface Recovered {
  readonly session: string;
  /** Null for a session without one. */
  readonly task: number | null;
  /** Null only for a session of a lost host. */
  readonly driver: string | null;
  /** True if its host was declared lost; else its driver was dead. */
  readonly hostLost: boolean;
  /** True if its agent was still running and was ended. */
  readonly agentRan: boolean;
}

/**
 * Ends the open sessions of dead drivers of this host, and those of lost hosts: first the agent, if it
 * still runs here, so that two agents never work on one task; then the session, as `cancelled`, whose
 * settlement says nothing about the task. Leaves alone sessions without a driver, and those of other
 * hosts: only those know whether their drivers live.
 *
 * @param before what has to be done while the session is still open, such as committing its files
 */
export async function recover(
  project: Project,
  readModelPath: string,
  before: (left: Recovered) => Promise<void> = async () => {},
): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  const judge = judgeIn(readModelPath, project.store);
  for (const { id: session, task_id: task, driver, host, started_position } of await openSessions(project)) {
    const wasLost = isLost(project.store.readModel, host, started_position);
    // Nobody watches one without a driver, until its host is lost.
    if (driver === null && !wasLost) continue;
    const standing = standingOf({ driver: driver ?? "", host, isLost: wasLost }, judge);
    const reason = WHY[standing]?.(driver, host);
    if (reason === undefined) continue;
    const agentRan = await endOrphan(readModelPath, session, standing === "gone");
    const found = { session, task, driver, hostLost: standing === "lost", agentRan };
    await before(found);
    // Its host, if that was lost, has the workspace.
    const work =
      standing === "gone" ? await workLeft(project.store.readModel, found, readModelPath) : undefined;
    const ending = { session, exit: "cancelled", reason, cause: "driver" } as const;
    if (await endUnlessEnded(project, ending, { work })) recovered.push(found);
  }
  // A dead driver has no open sessions afterwards, and a driver without a file is dead.
  for (const { driver, alive } of listDrivers(readModelPath)) if (!alive) signOff(readModelPath, driver);
  return recovered;
}

function openSessions({ queries }: Project) {
  return queries.sessions({ open: true });
}

/** Why a session ends; none: it goes on. */
const WHY: { readonly [Is in Standing]?: (driver: string | null, host: string | null) => string } = {
  gone: (driver) => `its driver ${driver} was gone and had left it open`,
  lost: (_driver, host) => `its host ${host} was declared lost`,
};

/**
 * Ends the rest of an unwatched session's agent: its whole process group, and its container. True if there was
 * such a group.
 *
 * @param firstStep true: its driver may have died just before the agent began, so waits a moment
 * for it
 */
export async function endOrphan(readModelPath: string, session: string, firstStep = false): Promise<boolean> {
  let group = agentGroupOf(readModelPath, session);
  for (
    let waited_ms = 0;
    firstStep && group === undefined && waited_ms < FIRST_STEP_MS;
    waited_ms += LOOK_MS
  ) {
    await delay(LOOK_MS);
    group = agentGroupOf(readModelPath, session);
  }
  const own = group !== undefined && isGroupOf(group, session) ? group : undefined;
  if (own !== undefined) await endGroup(own, GRACE_MS);
  // The process that started it may have ended before.
  const { removeContainer } = await loadSandboxes();
  await removeContainer(readModelPath, session);
  return own !== undefined;
}

const FIRST_STEP_MS = 1_000;
const LOOK_MS = 50;
const GRACE_MS = 2_000;

/** The system may have reused the group's number; our processes carry their session's name. */
function isGroupOf(group: number, session: string): boolean {
  const { groups, processes } = platform();
  if (!groups.isThere(group)) return false;
  const sessionOf = processes.variables(SESSION_VARIABLE);
  return processes.table().some(({ pid, ...member }) => member.group === group && sessionOf(pid) === session);
}
