import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Calls of fsync and fdatasync, by the name of the file; undefined where strace cannot be had. */
export type Syncs = ReadonlyMap<string, number> | undefined;

/** Counts what a process syncs while `work` runs, and shortly after: work may go on behind an answer. */
export async function countSyncs(pid: number, work: () => Promise<void>): Promise<Syncs> {
  const tracer = spawn("strace", ["-f", "-y", "-e", "trace=fsync,fdatasync", "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output: string[] = [];
  tracer.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
  if (!(await attached(tracer))) return undefined;
  const before = output.join("").length;
  await work();
  await delay(AFTERWARDS_MS);
  const closed = once(tracer, "close");
  tracer.kill("SIGINT");
  await closed;
  const counts = new Map<string, number>();
  for (const [, path = ""] of output
    .join("")
    .slice(before)
    .matchAll(/f(?:data)?sync\(\d+<([^>]*)>/g)) {
    const name = nameOf(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Such as `events.db-wal 1.00, ralph.db-wal 0.05`: how often each file is synced for one call. */
export function describeSyncs(syncs: Syncs, calls: number): string {
  if (!syncs) return "not counted";
  const parts = [...syncs].sort().map(([name, count]) => `${name} ${(count / calls).toFixed(2)}`);
  return parts.join(", ") || "none";
}

const AFTERWARDS_MS = 100;

function nameOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return "its folder";
  // Without the number that Scratch gives.
  return basename(path).replace(/^\d+-/, "");
}

/** False if there is no strace, or it may not look at the process. */
async function attached(tracer: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    tracer.stderr?.on("data", (text: string) => {
      if (text.includes("attached")) resolve(true);
    });
    tracer.once("error", () => resolve(false));
    tracer.once("exit", () => resolve(false));
  });
}
