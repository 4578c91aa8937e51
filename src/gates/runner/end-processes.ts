import { setTimeout as delay } from "node:timers/promises";
import { type IsolationWay, LEFT_BEHIND_LIMIT, type LeftBehind } from "../../events/types/command-result.ts";
import { platform } from "../../lib/platform/here.ts";
import type { ProcessEntry } from "../../lib/platform/platform.ts";
import { endGroup } from "../../lib/processes/group.ts";
import { visible } from "../../lib/visible.ts";
import type { Family } from "./family.ts";
import { GRACE_MS, KILL_MS } from "./limits.ts";
import { comesTrue } from "./patience.ts";

/**
 * Ends a running command: TERM to its group, a second, KILL. Processes outside the group are left.
 */
export async function endCommand(family: Family, group: number, isolation: IsolationWay): Promise<void> {
  const { groups } = platform();
  // Descendants can be found now, while their parents are alive.
  const there = family.look();
  if (isolation === "none") {
    groups.signal(group, "SIGTERM");
  } else {
    // TERM to the isolating program would end everything in it at once.
    for (const { pid } of there) if (pid !== group) signalProcess(pid, "SIGTERM");
  }
  await comesTrue(() => !groups.hasMembers(group), GRACE_MS);
  groups.signal(group, "SIGKILL");
}

/**
 * Kills a command's leftover processes after its shell has ended. Lists none where the system has killed them already, or
 * does not list processes.
 */
export async function endLeftBehind(family: Family, group: number): Promise<LeftBehind[]> {
  const { groups } = platform();
  if (groups.endWithLeader) return [];
  if (canLook()) return endProcesses(() => family.look());
  if (groups.isThere(group)) await endGroup(group, GRACE_MS);
  return [];
}

/** Whether the system lists processes: if it lists this one. */
const canLook = () => platform().processes.entry(process.pid) !== undefined;

/**
 * Ends the processes that `look` finds: TERM, a second, KILL, and again for new ones.
 *
 * @returns the first `LEFT_BEHIND_LIMIT` of them; excludes those that were just ending by
 * themselves
 */
export async function endProcesses(look: () => readonly ProcessEntry[]): Promise<LeftBehind[]> {
  if (look().length === 0) return [];
  // A process that has closed its output may be just ending.
  await delay(SETTLE_MS);
  const found = new Map<number, ProcessEntry>();
  let there: readonly ProcessEntry[] = [];
  const gone = () => {
    there = look();
    for (const entry of there) found.set(entry.pid, entry);
    return there.length === 0;
  };
  if (gone()) return [];
  for (const { pid } of there) signalProcess(pid, "SIGTERM");
  if (!(await comesTrue(gone, GRACE_MS))) {
    await comesTrue(() => {
      for (const { pid } of there) signalProcess(pid, "SIGKILL");
      return gone();
    }, KILL_MS);
  }
  const stayed = new Set(there.map(({ pid }) => pid));
  return [...found.values()]
    .slice(0, LEFT_BEHIND_LIMIT)
    .map(({ pid, name }) => ({ pid, name: visible(name), ended: !stayed.has(pid) }));
}

const SETTLE_MS = 50;

/** Does nothing if the process is gone, or may not be signalled. */
function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The caller checks whether it is still there.
  }
}
