import type { EventLog } from "../../events/log.ts";
import { REDACTIONS } from "../../events/types/redactions.ts";
import { ReadModel } from "../../projections/read-model.ts";
import { logUntil } from "./log-until.ts";
import type { Snapshots } from "./snapshots.ts";
import { reducedTo } from "./state-at.ts";

/**
 * Reduces a log once, from the last snapshot before what is missing, and leaves a snapshot after each `every` events and at its
 * head. Those that are there already are not made again.
 *
 * @param every at least 1; far below what the limits allow, the older ones are thinned out again
 * @param onProgress is told each position at which one was made
 */
export async function takeSnapshots(
  log: EventLog,
  snapshots: Snapshots,
  every: number,
  onProgress: (position: number) => void,
): Promise<void> {
  const head = await log.head();
  const there = new Set(snapshots.list().map(({ position }) => position));
  const missing = rungs(every, head).filter((position) => !there.has(position));
  const [first] = missing;
  if (first === undefined) return;
  const redactions = await log.streamVersion(REDACTIONS);
  let readModel =
    (await snapshots.before(logUntil(log, first), redactions))?.readModel ?? new ReadModel(":memory:");
  try {
    for (const position of missing) {
      const unfinished = snapshots.begin(redactions);
      try {
        // What was reduced holds what was redacted since; the snapshots that were made of it are gone.
        if ((await log.streamVersion(REDACTIONS)) !== redactions)
          return await takeSnapshots(log, snapshots, every, onProgress);
        readModel = await reducedTo(logUntil(log, position), readModel);
        unfinished.finish(readModel);
      } finally {
        unfinished.giveUp();
      }
      onProgress(position);
    }
  } finally {
    readModel.close();
  }
}

function rungs(every: number, head: number): number[] {
  const between = Array.from(
    { length: Math.max(Math.ceil(head / every) - 1, 0) },
    (_, rung) => (rung + 1) * every,
  );
  return head > 0 ? [...between, head] : [];
}
