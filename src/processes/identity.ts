import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { processEntry } from "./table.ts";

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
  return { host: hostname(), pid, began: beginningOf(pid), pid_namespace: ownNamespace() };
}

/** Whether the process runs; undefined where that cannot be known from here. */
export function runs({ host, pid, began, pid_namespace }: ProcessIdentity): boolean | undefined {
  if (host !== hostname()) return undefined;
  // In a container or under isolation the number is somebody else's, or nobody's.
  if (pid_namespace !== undefined && pid_namespace !== ownNamespace()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is there, though it takes no signals of ours.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  // Killed, and its parent has not asked for it: in a container perhaps nobody ever does.
  if (processEntry(pid)?.ended) return false;
  if (began === undefined) return undefined;
  return beginningOf(pid) === began;
}

function beginningOf(pid: number): string | undefined {
  const entry = processEntry(pid);
  if (!entry) return undefined;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${entry.began}`;
  } catch {
    return undefined;
  }
}

function ownNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}
