import { setTimeout as delay } from "node:timers/promises";
import { type IsolationWay, LEFT_BEHIND_LIMIT, type LeftBehind } from "../../events/types/command-result.ts";
import { visible } from "../../events/visible.ts";
import { endGroup, isGroupThere, signalGroup } from "../../processes/group.ts";
import { type ProcessEntry, processEntry, processTable } from "../../processes/table.ts";
import type { Family } from "./family.ts";
import { GRACE_MS, KILL_MS } from "./limits.ts";
import { comesTrue } from "./patience.ts";

/** Ends a command that runs: TERM to its group, a second, KILL. What has left the group is left behind. */
export async function endCommand(family: Family, group: number, isolation: IsolationWay): Promise<void> {
  // Whose parents live can be found now, and not when they are gone.
  const there = family.look();
  if (isolation === "none") {
    signalGroup(group, "SIGTERM");
  } else {
    // TERM for the program that isolates would be the end of all in it, at once.
    for (const { pid } of there) if (pid !== group) signalProcess(pid, "SIGTERM");
  }
  await comesTrue(() => !hasMembers(group), GRACE_MS);
  signalGroup(group, "SIGKILL");
}

/** Ends what is there of a command whose shell is gone, and says what it was. Only Linux can say it. */
export async function endLeftBehind(family: Family, group: number): Promise<LeftBehind[]> {
  if (canLook()) return endProcesses(() => family.look());
  if (isGroupThere(group)) await endGroup(group, GRACE_MS);
  return [];
}

function hasMembers(group: number): boolean {
  return canLook() ? processTable().some((entry) => entry.group === group) : isGroupThere(group);
}

/** Whether the system tells of processes: where it tells of this one. */
const canLook = () => processEntry(process.pid) !== undefined;

/**
 * Ends the processes that `look` finds: TERM, a second, KILL, and again for those that come up meanwhile.
 *
 * @returns which they were, the first `LEFT_BEHIND_LIMIT`; of those that were about to end by themselves none
 */
export async function endProcesses(look: () => readonly ProcessEntry[]): Promise<LeftBehind[]> {
  if (look().length === 0) return [];
  // What has closed its output may just be on its way out.
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

/** Does nothing where it is gone, or belongs to somebody who does not let us. */
function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Whether it is still there is looked at afterwards.
  }
}
