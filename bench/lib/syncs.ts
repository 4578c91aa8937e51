import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { doing } from "./doing.ts";

/** What a process asks of the system. */
export interface SystemCalls {
  readonly count: number;
  /** Calls of fsync and fdatasync, by the name of the file. */
  readonly syncs: ReadonlyMap<string, number>;
}

/**
 * Counts what a process asks of the system while `work` runs, and shortly after: work may go on behind an answer.
 *
 * @returns undefined where strace cannot be had
 */
export async function countSystemCalls(
  pid: number,
  work: () => Promise<void>,
): Promise<SystemCalls | undefined> {
  doing(`strace, which counts the system calls of process ${pid}`);
  // Somewhere it stops a process and never lets it go on: then nobody but its limit ends it.
  const limited = ["--signal=KILL", String(LIMIT_S), "strace", "-f", "-y", "-p", String(pid)];
  const tracer = spawn("timeout", limited, { stdio: ["ignore", "ignore", "pipe"] });
  const output: string[] = [];
  tracer.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
  if (!(await attached(tracer))) return undefined;
  const before = output.join("").length;
  await work();
  await delay(AFTERWARDS_MS);
  const closed = once(tracer, "close");
  // False: its limit has ended it.
  if (!tracer.kill("SIGINT")) return undefined;
  await closed;
  if (tracer.signalCode === "SIGKILL" || tracer.exitCode === KILLED) return undefined;
  const lines = output.join("").slice(before).split("\n");
  const syncs = new Map<string, number>();
  for (const line of lines) {
    const path = /f(?:data)?sync\(\d+<([^>]*)>/.exec(line)?.[1];
    if (path !== undefined) syncs.set(nameOf(path), (syncs.get(nameOf(path)) ?? 0) + 1);
  }
  // One that another thread's interrupts has a second line, which names it in angle brackets.
  return { count: lines.filter((line) => /^(\[pid +\d+\] )?\w+\(/.test(line)).length, syncs };
}

/** Such as `events.db-wal 1.00, ralph.db-wal 0.05`: how often each file is synced for one call. */
export function describeSyncs(syncs: SystemCalls["syncs"], calls: number): string {
  const parts = [...syncs].sort().map(([name, count]) => `${name} ${(count / calls).toFixed(2)}`);
  return parts.join(", ") || "none";
}

const AFTERWARDS_MS = 100;
const LIMIT_S = 15;
/** By `timeout`, whose own process has then the code of a killed one. */
const KILLED = 137;

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
