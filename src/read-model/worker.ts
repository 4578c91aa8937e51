import { setTimeout as delay } from "node:timers/promises";
import { catchError, distinctUntilChanged, EMPTY, exhaustMap, type Observable, timer } from "rxjs";
import { eventAt } from "../events/event-at.ts";
import type { EventLog } from "../events/log.ts";
import { eraseRemains } from "../events/redaction/erase-remains.ts";
import { LogError } from "../lib/log-error.ts";
import type { Projection } from "../projections/projection.ts";
import { type OnProgress, RedactedMeanwhile, reduceLog } from "./engine.ts";
import { keepHistory, lostFrom } from "./other-history.ts";
import type { ReadModel } from "./read-model.ts";
import { asReadModelError } from "./read-model-file.ts";
import { rebuild } from "./rebuild.ts";
import { runElsewhere } from "./rebuild-runs.ts";

/**
 * Keeps a read model up to date with a log: catches up, then checks several times a second for
 * events of any process. Emits each position reached; ends when it is unsubscribed or the log is
 * closed.
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

/** Reduces the reports of many agents together. */
const EVERY_MS = 250;

/**
 * Brings a read model to the log's current head, and returns that position. Rebuilds the tables of
 * another program version or another log.
 *
 * @throws ReadModelError `newer_version`; `no_room`: the remaining disk space is reserved for the
 * log; `unusable`: the file cannot be written now, and is unchanged
 */
export async function catchUp(readModel: ReadModel, log: EventLog): Promise<number> {
  try {
    return await reduceToHead(readModel, log);
  } catch (cause) {
    throw asReadModelError(cause, readModel.database.name);
  }
}

/**
 * Whether a read model must be rebuilt from the beginning, which may take long: a new version of
 * the program, another log, or an empty file beside a long log.
 *
 * @throws ReadModelError `newer_version`
 */
export async function mustBeRebuilt(readModel: ReadModel, log: EventLog): Promise<boolean> {
  return (await toRebuild(readModel, log)).length > 0;
}

/**
 * Whether readers get an older version's tables while they are rebuilt: only for a log so long that
 * waiting would be unreasonable.
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

/**
 * Rebuilds outdated tables unless another process does. Ends when they are up to date, or this
 * process must not rebuild.
 */
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
    // A rebuild that was already running may have ended before the redaction.
    return reduceToHead(readModel, log);
  }
  return head;
}

/** One process rebuilds; others wait while it makes progress. */
async function rebuildWhatMust(readModel: ReadModel, log: EventLog): Promise<void> {
  if (ownRebuilds.has(readModel) || (await mustBeRebuilt(readModel, log)))
    await rebuildAlone(readModel, () => rebuildOrWait(readModel, log));
}

/**
 * Rebuilds from the whole log, whatever the read model's state; concurrent `catchUp` calls wait for
 * it, and a running rebuild is reused. A stopped projection of another program is rebuilt when that
 * program next asks.
 *
 * @param onProgress gets the progress, unless a rebuild was running: `readModel.rebuilding` reports
 * that one
 */
export function rebuildAll(readModel: ReadModel, log: EventLog, onProgress?: OnProgress): Promise<void> {
  return rebuildAlone(readModel, async () => {
    await rebuild(readModel, log, undefined, onProgress);
    readModel.transaction(() => retryOthers(readModel));
  });
}

/** A checkpoint without its schema is taken for that of other tables, so that the program of the projection rebuilds them. */
function retryOthers({ checkpoints, projections }: ReadModel): void {
  const known = new Set(projections.map(({ name }) => name));
  for (const one of checkpoints.stopped()) if (!known.has(one.name)) checkpoints.put({ ...one, schema: "" });
}

/** One call in a process rebuilds, and the others wait for it. */
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
  const position = readModel.position();
  if (await belongsToOtherLog(readModel, log)) await keepHistory(readModel, log, position);
  await rebuild(readModel, log, projections, (position, head) =>
    readModel.rebuilding.next({ position, head }),
  );
}

/**
 * Waits for a heartbeat of another process's rebuild: the system may have reused a dead process's
 * pid.
 *
 * @returns the rebuild's new state; undefined if it ended, or after too many checks without a
 * change
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

/**
 * How often to check on another process's rebuild, and how many unchanged checks mean that it
 * hangs.
 */
const LOOK_MS = 50;
const SILENT_LOOKS = 60;

/** How many checks a running rebuild gets to show progress: it beats after every few batches. */
const SIGN_LOOKS = 10;

/** From this many events on, rebuilding an empty read model is faster than catching up. */
const REBUILD_FROM = 20_000;

/** Which log a read model was found to belong to: checked once for each connection to its server, which may have another history. */
const belongsTo = new WeakMap<
  ReadModel,
  { readonly log: EventLog; readonly connected: number | undefined }
>();

/** True if a checkpoint names an event that the log does not have at that position, or this host was answered for one that is gone. */
async function belongsToOtherLog(readModel: ReadModel, log: EventLog): Promise<boolean> {
  const { connected } = log;
  const known = belongsTo.get(readModel);
  if (known?.log === log && known.connected === connected) return false;
  const names = new Set(readModel.projections.map(({ name }) => name));
  for (const { name, position, leaf_hash } of readModel.checkpoints.list()) {
    if (!names.has(name)) continue;
    const event = await eventAt(log, position);
    if ((event?.leafHash ?? "") !== leaf_hash) return true;
  }
  if (log.acknowledged && (await lostFrom(log, log.acknowledged.list().slice(-1))).length > 0) return true;
  belongsTo.set(readModel, { log, connected });
  return false;
}
