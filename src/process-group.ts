import { setTimeout as delay } from "node:timers/promises";

/** Ends a process group: TERM, and KILL for what is left after `grace_ms`. Does nothing where it is gone. */
export async function endGroup(group: number, grace_ms: number): Promise<void> {
  signalGroup(group, "SIGTERM");
  for (let waited_ms = 0; isGroupThere(group) && waited_ms < grace_ms; waited_ms += LOOK_MS)
    await delay(LOOK_MS);
  signalGroup(group, "SIGKILL");
}

const LOOK_MS = 20;

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
