import { readFileSync } from "node:fs";

/** Memory of some processes in bytes, of which pages that several share are counted in parts (PSS of proc(5)). Linux alone tells it. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kilobytes] = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return sum + Number(kilobytes) * 1_024;
  }, 0);
}
