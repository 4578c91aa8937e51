import { setTimeout as delay } from "node:timers/promises";
import { processTable } from "./table.ts";

/**
 * Ends a process group: TERM, and KILL for what is left after `grace_ms`. Does nothing where it is gone. What was killed is gone
 * when it returns, where the system tells (Linux): a check after it finds none of its processes alive.
 */
export async function endGroup(group: number, grace_ms: number): Promise<void> {
  signalGroup(group, "SIGTERM");
  for (let waited_ms = 0; isGroupThere(group) && waited_ms < grace_ms; waited_ms += LOOK_MS)
    await delay(LOOK_MS);
  if (!isGroupThere(group)) return;
  signalGroup(group, "SIGKILL");
  const lives = () => processTable().some((entry) => entry.group === group);
  for (let waited_ms = 0; lives() && waited_ms < KILLED_MS; waited_ms += LOOK_MS) await delay(LOOK_MS);
}

const LOOK_MS = 20;
/** Only a process inside a system call takes longer to die. */
const KILLED_MS = 1_000;

export function isGroupThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to all of a process group; does nothing where it is gone. */
export function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // It is gone.
  }
}
