import { readdirSync, readFileSync } from "node:fs";

/** What the kernel says of a process. Linux alone: elsewhere there is nothing in `/proc`, and nothing is known. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Of its program, as the kernel has it: at most 15 bytes, and whatever the process says of itself. */
  readonly name: string;
  /** In ticks since the boot. With the number it tells one process from every other of this boot. */
  readonly began: string;
  /** Gone, but for its parent to be told. */
  readonly ended: boolean;
}

/** Every running process; empty if the system has no process table. */
export function processTable(): ProcessEntry[] {
  return numbersIn("/proc").flatMap((pid) => {
    const entry = processEntry(pid);
    return entry && !entry.ended ? [entry] : [];
  });
}

/** One process; undefined where it is gone, or the system does not tell. */
export function processEntry(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; what follows it is separated by blanks (proc(5), /proc/pid/stat).
    const end = stat.lastIndexOf(")");
    const [state, parent, group, session, ...rest] = stat.slice(end + 2).split(" ");
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      name: stat.slice(stat.indexOf("(") + 1, end),
      began: rest[15] ?? "",
      ended: state === "Z" || state === "X",
    };
  } catch {
    return undefined;
  }
}

/** The value of a variable in the environment that a process was started with; undefined where it is absent or not ours to read. */
export function variableOf(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined;
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
