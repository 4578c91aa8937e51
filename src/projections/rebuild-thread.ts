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
  /** False where another thread verifies the same events, up to the head that the rebuild ends at. */
  readonly isVerifying: boolean;
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
 * @param onProgress whatever it throws ends the thread, and is thrown
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
  signal.throwIfAborted();
  const worker = startThread(order, file);
  if (!worker) return undefined;
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  ended.addEventListener("abort", () => void worker.terminate());
  let made: PartState | "redacted" | undefined;
  worker.on("message", (report: PartReport) => {
    if ("made" in report) made = report.made;
    else if (!ended.aborted) tell(report);
  });
  // The same fault is met again, and told, where its part is made in the caller's thread.
  worker.on("error", () => {});
  await new Promise((resolve) => worker.on("exit", resolve));
  ended.throwIfAborted();
  if (made === "redacted") throw new RedactedMeanwhile();
  return made;

  function tell({ position, head }: Extract<PartReport, { position: number }>): void {
    try {
      onProgress(position, head);
    } catch (error) {
      // Thrown from here, it would end the whole process.
      ending.abort(error);
    }
  }
}

/** @returns undefined where the system gives no thread */
function startThread(order: PartOrder, file: URL | string): Worker | undefined {
  try {
    return new Worker(file, { workerData: order, stderr: true });
  } catch {
    return undefined;
  }
}
