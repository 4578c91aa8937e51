import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type OnProgress, RedactedMeanwhile } from "./engine.ts";
import type { PartState } from "./rebuild-part.ts";

/** What a thread is to make. */
export interface PartOrder {
  readonly logPath: string;
  readonly readModelPath: string;
  /** The rebuild's number, which its tables have in their names. */
  readonly run: number;
  /** By name. */
  readonly projections: readonly string[];
}

/** What it says on its way, and in the end. */
export type PartReport =
  | { readonly position: number; readonly head: number }
  | { readonly made: PartState | "redacted" };

/** Only the program as it is built has the thread's code beside it; what runs from sources rebuilds in one thread. */
const code = new URL("./rebuild-worker.cjs", import.meta.url);

export function hasRebuildThread(): boolean {
  return existsSync(code);
}

/**
 * Makes the tables of some projections in a thread of its own.
 *
 * @param signal ends it at once
 * @param file with the thread's code
 * @returns undefined where the thread failed, whatever it failed at; its tables are to be made anew then
 * @throws RedactedMeanwhile; what the signal was aborted with
 */
export async function makeInThread(
  order: PartOrder,
  onProgress: OnProgress,
  signal: AbortSignal,
  file: URL | string = code,
): Promise<PartState | undefined> {
  const worker = new Worker(file, { workerData: order, stderr: true });
  const end = () => void worker.terminate();
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  let made: PartState | "redacted" | undefined;
  worker.on("message", (report: PartReport) => {
    if ("made" in report) made = report.made;
    else onProgress(report.position, report.head);
  });
  // The same fault is met again, and told, where its part is made in the caller's thread.
  worker.on("error", () => {});
  await new Promise((resolve) => worker.on("exit", resolve));
  signal.removeEventListener("abort", end);
  signal.throwIfAborted();
  if (made === "redacted") throw new RedactedMeanwhile();
  return made;
}
