import { readdirSync, readFileSync } from "node:fs";
import { treeOf } from "./cpu.ts";

/** CPU time that processes and all that they have started have taken so far, in milliseconds; exact, but without what has ended. */
export function fineCpuOf(pids: readonly number[]): number {
  return pids.flatMap(treeOf).reduce((sum, pid) => sum + ofThreads(pid), 0);
}

function ofThreads(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [onCpu_ns = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      return sum + Number(onCpu_ns) / 1e6;
    }, 0);
  } catch {
    // It has ended.
    return 0;
  }
}
