import { readFileSync } from "node:fs";
import { hostname } from "node:os";

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
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; what follows it is separated by blanks, and its state is the first.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? `${boot} gone` : `${boot} ${rest[18]}`;
  } catch {
    return undefined;
  }
}
