import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type OnProgress, RedactedMeanwhile } from "./engine.ts";
import type { PartState } from "./rebuild-part.ts";

/** The task of a thread. */
export interface PartOrder {
  readonly logPath: string;
  readonly readModelPath: string;
  /** The rebuild's number, part of its tables' names. */
  readonly run: number;
  /** By name. */
  readonly projections: readonly string[];
  /** False if another thread verifies the same events, up to the head at which the rebuild ends. */
  readonly isVerifying: boolean;
}

/** Progress messages, and the final one. */
export type PartReport =
  | { readonly position: number; readonly head: number }
  | { readonly made: PartState | "redacted" };

/**
 * Only the built program has the thread's code beside it; when run from source, a rebuild uses one
 * thread.
 */
const code = new URL("./rebuild-worker.cjs", import.meta.url);

export function hasRebuildThread(): boolean {
  return existsSync(code);
}

/**
 * Builds the tables of some projections in a separate thread.
 *
 * @param onProgress an error thrown by it ends the thread and is rethrown
 * @param signal ends it at once
 * @param file the thread's code
 * @returns undefined if the thread failed for any reason; its tables must then be rebuilt
 * @throws RedactedMeanwhile; the signal's abort reason
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
  // The caller's thread rebuilds this part, meets the same fault and reports it.
  worker.on("error", () => {});
  await new Promise((resolve) => worker.on("exit", resolve));
  ended.throwIfAborted();
  if (made === "redacted") throw new RedactedMeanwhile();
  return made;

  function tell({ position, head }: Extract<PartReport, { position: number }>): void {
    try {
      onProgress(position, head);
    } catch (error) {
      // Throwing from here would end the whole process.
      ending.abort(error);
    }
  }
}

/** @returns undefined if the system refuses a thread */
function startThread(order: PartOrder, file: URL | string): Worker | undefined {
  try {
    return new Worker(file, { workerData: order, stderr: true });
  } catch {
    return undefined;
  }
}
