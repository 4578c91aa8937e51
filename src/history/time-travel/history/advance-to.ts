import type { EventLog } from "../../../events/log.ts";
import type { RebuildProgress } from "../../../read-model/rebuild-runs.ts";
import { openHistory } from "./history.ts";
import { findMadeHistory, headOfHistory } from "./history-file.ts";
import { makeToHead } from "./make-to-head.ts";

/**
 * Extends a project's history up to a position, if that is less work than reducing every event
 * before it. Does nothing if there is no history, or it cannot be written.
 */
export async function advanceTo(
  log: EventLog,
  readModelPath: string,
  position: number,
  onProgress: (progress: RebuildProgress) => void,
): Promise<void> {
  try {
    const path = findMadeHistory(readModelPath);
    const made = path === undefined ? 0 : headOfHistory(path);
    if (made === 0 || made >= position || (position - made) * COST > position) return;
    await make(log, readModelPath, { from: made, to: position }, onProgress);
  } catch {
    // The next reader of the history reports the fault.
  }
}

/** How many times longer it takes to add an event to a history than to reduce it. */
const COST = 5;

async function make(
  log: EventLog,
  readModelPath: string,
  { from, to }: { readonly from: number; readonly to: number },
  onProgress: (progress: RebuildProgress) => void,
): Promise<void> {
  const history = openHistory(log, readModelPath);
  try {
    if (!history.isKept) return;
    for await (const { position } of makeToHead(history, { max_ms: TURN_MS })) {
      onProgress({ position: Math.min(position, to), head: to });
      // Shorter than before: it is being rebuilt, which takes too long to wait for.
      if (position >= to || position < from) return;
    }
  } finally {
    history.close();
  }
}

const TURN_MS = 100;
