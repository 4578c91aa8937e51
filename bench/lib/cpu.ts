import { readFileSync } from "node:fs";
import { platform } from "../../src/lib/platform/here.ts";

/** CPU time, user and system, in milliseconds. Linux alone tells it, in steps of 10 ms. */
export interface CpuTime {
  /** Of a process with all that it started, what has ended included. */
  readonly tree_ms: number;
  /** Of the process alone. */
  readonly own_ms: number;
}

/** What a process has used so far. */
export function cpuOf(pid: number): CpuTime {
  const tree_ms = treeOf(pid).reduce((sum, one) => sum + timesOf(one).own_ms + timesOf(one).waited_ms, 0);
  return { tree_ms, own_ms: timesOf(pid).own_ms };
}

/** A process with all that it started and that is there. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const { pid: child, parent } of platform().processes.table())
    children.set(parent, [...(children.get(parent) ?? []), child]);
  const tree: number[] = [];
  const left = [pid];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    tree.push(next);
    left.push(...(children.get(next) ?? []));
  }
  return tree;
}

/** `waited_ms`: of its children that have ended. */
function timesOf(pid: number): { readonly own_ms: number; readonly waited_ms: number } {
  const stat = statOf(pid);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime, stime, cutime and cstime of proc(5), in ticks of USER_HZ, which Linux has at 100.
  const [user = 0, system = 0, usersOfChildren = 0, systemsOfChildren = 0] = fields.slice(11, 15).map(Number);
  return { own_ms: (user + system) * 10, waited_ms: (usersOfChildren + systemsOfChildren) * 10 };
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
