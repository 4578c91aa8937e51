import { setTimeout as delay } from "node:timers/promises";
import { catchError, distinctUntilChanged, EMPTY, exhaustMap, type Observable, timer } from "rxjs";
import { eventAt } from "../events/event-at.ts";
import type { EventLog } from "../events/log.ts";
import { LogError } from "../events/log-error.ts";
import { eraseRemains } from "../events/redaction/erase-remains.ts";
import { type OnProgress, RedactedMeanwhile, reduceLog } from "./engine.ts";
import type { Projection } from "./projection.ts";
import type { ReadModel } from "./read-model.ts";
import { asReadModelError } from "./read-model-file.ts";
import { rebuild } from "./rebuild.ts";
import { runElsewhere } from "./rebuild-runs.ts";

/**
 * Keeps a read model up to date with a log: what there is, then some times a second whatever has come, from any process. Emits
 * the position that it has come to, and ends when it is unsubscribed or the log is closed.
 */
export function keepUpToDate(readModel: ReadModel, log: EventLog): Observable<number> {
  return timer(0, EVERY_MS).pipe(
    exhaustMap(() => catchUp(readModel, log)),
    distinctUntilChanged(),
    catchError((error) => {
      if (error instanceof LogError && error.code === "closed") return EMPTY;
      throw error;
    }),
  );
}

/** What many agents report meanwhile is reduced together. */
const EVERY_MS = 250;

/**
 * Brings a read model to the head that the log has now, and returns that position. Rebuilds what another version of
 * the program made, and what was made from another log.
 *
 * @throws ReadModelError `newer_version`; `no_room`: what is free on its disk is left to the log; `unusable`: its file cannot be written now, and has what it had before
 */
export async function catchUp(readModel: ReadModel, log: EventLog): Promise<number> {
  try {
    return await reduceToHead(readModel, log);
  } catch (cause) {
    throw asReadModelError(cause, readModel.database.name);
  }
}

/**
 * Whether a read model has to be reduced from the beginning, which may take its time: a new version of the program, another log, or
 * an empty file beside a long log.
 *
 * @throws ReadModelError `newer_version`
 */
export async function mustBeRebuilt(readModel: ReadModel, log: EventLog): Promise<boolean> {
  return (await toRebuild(readModel, log)).length > 0;
}

/**
 * Whether what an older version of the program has reduced is there to be read while it is made anew: of a log so long that nobody
 * should wait for that.
 *
 * @throws ReadModelError `newer_version`
 */
export async function isOutdated(readModel: ReadModel, log: EventLog): Promise<boolean> {
  return (
    readModel.stale().length > 0 &&
    readModel.position() > 0 &&
    (await log.head()) > REBUILD_FROM &&
    !(await belongsToOtherLog(readModel, log))
  );
}

/** Makes anew what is outdated, if no other process does. Ends when it is up to date, or this process is not to do it. */
export async function makeAnew(readModel: ReadModel, log: EventLog): Promise<void> {
  const elsewhere = runElsewhere(readModel.database);
  if (!elsewhere || !(await nextSign(readModel, elsewhere, SIGN_LOOKS))) await catchUp(readModel, log);
}

async function toRebuild(readModel: ReadModel, log: EventLog): Promise<readonly Projection[]> {
  if (await belongsToOtherLog(readModel, log)) return readModel.projections;
  const { stale, position } = readModel.snapshot(() => ({
    stale: readModel.stale(),
    position: readModel.position(),
  }));
  if (stale.length > 0 || position > 0) return stale;
  return (await log.head()) > REBUILD_FROM ? readModel.projections : [];
}

async function reduceToHead(readModel: ReadModel, log: EventLog): Promise<number> {
  const head = await log.head();
  await rebuildWhatMust(readModel, log);
  try {
    await reduceLog(log, readModel, { until: head });
  } catch (error) {
    if (!(error instanceof RedactedMeanwhile)) throw error;
    await rebuildAlone(readModel, async () => {
      await rebuild(readModel, log);
      eraseRemains(readModel.database);
    });
    // One that ran already may have ended before the redaction.
    return reduceToHead(readModel, log);
  }
  return head;
}

/** One process does it; others wait for as long as it goes on. */
async function rebuildWhatMust(readModel: ReadModel, log: EventLog): Promise<void> {
  if (ownRebuilds.has(readModel) || (await mustBeRebuilt(readModel, log)))
    await rebuildAlone(readModel, () => rebuildOrWait(readModel, log));
}

/**
 * Reduces the whole log again, whatever the read model's state; whoever catches up meanwhile waits for it, and one that runs
 * already serves.
 *
 * @param onProgress is told how far it is, unless one ran already: of that `readModel.rebuilding` tells
 */
export function rebuildAll(readModel: ReadModel, log: EventLog, onProgress?: OnProgress): Promise<void> {
  return rebuildAlone(readModel, () => rebuild(readModel, log, undefined, onProgress));
}

/** One call of a process does it, and the others wait for it. */
function rebuildAlone(readModel: ReadModel, work: () => Promise<void>): Promise<void> {
  let rebuilding = ownRebuilds.get(readModel);
  if (!rebuilding) {
    rebuilding = work().finally(() => ownRebuilds.delete(readModel));
    ownRebuilds.set(readModel, rebuilding);
  }
  return rebuilding;
}

const ownRebuilds = new WeakMap<ReadModel, Promise<void>>();

async function rebuildOrWait(readModel: ReadModel, log: EventLog): Promise<void> {
  let elsewhere = runElsewhere(readModel.database);
  while (elsewhere) {
    readModel.rebuilding.next(elsewhere);
    elsewhere = await nextSign(readModel, elsewhere, SILENT_LOOKS);
  }
  const projections = await toRebuild(readModel, log);
  if (projections.length === 0) return;
  await rebuild(readModel, log, projections, (position, head) =>
    readModel.rebuilding.next({ position, head }),
  );
}

/**
 * Waits for a sign of life of another process's rebuild: a dead process's number may be that of another one by now.
 *
 * @returns the rebuild as it is then; undefined where it has ended, or so many looks found nothing new
 */
async function nextSign({ database }: ReadModel, seen: RunElsewhere, looks: number) {
  for (let look = 0; look < looks; look++) {
    await delay(LOOK_MS);
    const now = runElsewhere(database);
    if (now?.run !== seen.run || now.signs !== seen.signs) return now;
  }
  return undefined;
}

type RunElsewhere = NonNullable<ReturnType<typeof runElsewhere>>;

/** How often who waits for another process's rebuild looks, and how many looks find nothing new where that hangs. */
const LOOK_MS = 50;
const SILENT_LOOKS = 60;

/** How many looks are given to one that goes on to show it: it does after every few batches. */
const SIGN_LOOKS = 10;

/** From so many events on, an empty read model is filled faster by a rebuild. */
const REBUILD_FROM = 20_000;

/** Which log a read model was found to belong to, so that it is looked at once. */
const belongsTo = new WeakMap<ReadModel, EventLog>();

/** True if a checkpoint names an event that the log does not have there. */
async function belongsToOtherLog(readModel: ReadModel, log: EventLog): Promise<boolean> {
  if (belongsTo.get(readModel) === log) return false;
  const known = new Set(readModel.projections.map(({ name }) => name));
  for (const { name, position, leaf_hash } of readModel.checkpoints.list()) {
    if (!known.has(name)) continue;
    const event = await eventAt(log, position);
    if ((event?.leafHash ?? "") !== leaf_hash) return true;
  }
  belongsTo.set(readModel, log);
  return false;
}
