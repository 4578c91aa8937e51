import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { processEntry } from "./process-table.ts";

/** Tells one process from every other that has had its number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** When it began, in the kernel's own count since this boot, and which boot that was; absent where the system does not tell. */
  readonly began?: string | undefined;
}

export function identityOf(pid: number): ProcessIdentity {
  return { host: hostname(), pid, began: beginningOf(pid) };
}

/** Whether the process runs; undefined where that cannot be known from here. */
export function runs({ host, pid, began }: ProcessIdentity): boolean | undefined {
  if (host !== hostname()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is there, though it takes no signals of ours.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  if (began === undefined) return undefined;
  return beginningOf(pid) === began;
}

function beginningOf(pid: number): string | undefined {
  const entry = processEntry(pid);
  if (!entry) return undefined;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return entry.ended ? `${boot} gone` : `${boot} ${entry.began}`;
  } catch {
    return undefined;
  }
}
