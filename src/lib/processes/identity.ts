import { hostname } from "node:os";
import { platform } from "../platform/here.ts";
import type { ProcessEntry } from "../platform/platform.ts";

/** Tells one process from every other that has had its number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** When it began, in the kernel's own count since this boot, and which boot that was; absent where the system does not tell. */
  readonly began?: string | undefined;
  /** In which its number counts, as the kernel names it, such as `pid:[4026531836]`; absent where the system does not tell. */
  readonly pid_namespace?: string | undefined;
}

/** A process by its number as this process sees it. */
export function identityOf(pid: number): ProcessIdentity {
  const { processes } = platform();
  return {
    host: hostname(),
    pid,
    began: beginningIn(processes.entry(pid)),
    pid_namespace: processes.namespace(),
  };
}

/** Whether the process runs; undefined where that cannot be known from here. */
export function runs({ host, pid, began, pid_namespace }: ProcessIdentity): boolean | undefined {
  if (host !== hostname()) return undefined;
  // In a container or under isolation the number is somebody else's, or nobody's.
  if (pid_namespace !== undefined && pid_namespace !== platform().processes.namespace()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is there, though it takes no signals of ours.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  // Killed, and its parent has not asked for it: in a container perhaps nobody ever does.
  const entry = platform().processes.entry(pid);
  if (entry?.ended) return false;
  const now = began === undefined ? undefined : beginningIn(entry);
  return now === undefined ? undefined : now === began;
}

function beginningIn(entry: ProcessEntry | undefined): string | undefined {
  const boot = entry && platform().processes.boot();
  return boot === undefined ? undefined : `${boot} ${entry?.began}`;
}
