import { setTimeout as delay } from "node:timers/promises";
import { platform } from "../platform/here.ts";

/**
 * Ends a process group: TERM, and KILL for what is left after `grace_ms`; Windows knows only the latter. Does nothing where it
 * is gone. A check after it finds none of its processes alive.
 */
export async function endGroup(group: number, grace_ms: number): Promise<void> {
  const { groups } = platform();
  groups.signal(group, "SIGTERM");
  for (let waited_ms = 0; groups.isThere(group) && waited_ms < grace_ms; waited_ms += LOOK_MS)
    await delay(LOOK_MS);
  if (!groups.isThere(group)) return;
  groups.signal(group, "SIGKILL");
  for (let waited_ms = 0; groups.hasMembers(group) && waited_ms < KILLED_MS; waited_ms += LOOK_MS)
    await delay(LOOK_MS);
}

const LOOK_MS = 20;
/** Only a process inside a system call takes longer to die. */
const KILLED_MS = 1_000;
