import { availableParallelism } from "node:os";
import Database from "better-sqlite3";
import type { EventLog } from "../events/log.ts";
import { eraseRemains } from "../events/redaction/erase-remains.ts";
import { turns } from "../lib/turns.ts";
import { projections as all } from "../projections/all.ts";
import { board } from "../projections/board/index.ts";
import type { Projection } from "../projections/projection.ts";
import { type OnProgress, RedactedMeanwhile } from "./engine.ts";
import type { ReadModel } from "./read-model.ts";
import { asReadModelError } from "./read-model-file.ts";
import { RebuildPart } from "./rebuild-part.ts";
import { dropRun, endRun, type RebuildProgress, showRun, startRun } from "./rebuild-runs.ts";
import { hasRebuildThread, makeInThread, type PartOrder } from "./rebuild-thread.ts";
import type { BoundProjection } from "./reduce.ts";

/**
 * Reduces the whole log again for some projections, beside their current tables, which stay
 * readable; then swaps the new tables in, in one transaction. Large batches, and the indexes for
 * readers last.
 *
 * Each rebuild has its own tables (`tasks__r12`), so two processes that rebuild at once only
 * duplicate work. Tables of a dead process are removed when the read model is opened, and by the
 * next rebuild.
 *
 * If a redaction hits an event that was reduced already, the rebuild starts over.
 *
 * @param signal aborts it between two batches or indexes and removes its tables; the signal's
 * reason is thrown
 */
export async function rebuild(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[] = readModel.projections,
  onProgress: OnProgress = () => {},
  signal?: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rebuildOnce(readModel, log, projections, onProgress, signal);
      if (tries > 1) eraseRemains(readModel.database);
      return;
    } catch (error) {
      if (!(error instanceof RedactedMeanwhile)) throw error;
    }
  }
}

async function rebuildOnce(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[],
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database } = readModel;
  const run = readModel.transaction(() => startRun(database));
  const ending = new AbortController();
  const here = turnsOn(database);
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", end);
  try {
    signal?.throwIfAborted();
    const sets = await threadsFor(readModel, log, projections);
    const show = showing(readModel, run, sets.length, onProgress);
    const parts = sets.map(
      (set, index) =>
        new RebuildPart(readModel, log, run, set, {
          onProgress: (position, head) => show(index, position, head),
          signal: ending.signal,
        }),
    );
    const isAlone = parts.length === 1;
    const making = parts.map((part, index) =>
      isAlone ? here(() => part.make()) : makeElsewhere(part, index),
    );
    try {
      await Promise.all(making);
    } catch (error) {
      ending.abort(error);
      // No thread may write to the tables while they are dropped.
      await Promise.allSettled(making);
      throw error;
    }
    // Events appended while the indexes were made.
    const head = await log.head();
    const bound: BoundProjection[] = [];
    for (const part of parts) bound.push(...(await part.reduceFurther(head)));
    readModel.transaction(() => {
      readModel.swapIn(
        bound,
        parts.flatMap((part) => part.checkpoints()),
      );
      dropRun(database, run);
    });

    async function makeElsewhere(part: RebuildPart, index: number): Promise<void> {
      const order: PartOrder = {
        logPath: log.path ?? "",
        readModelPath: database.name,
        run,
        projections: part.projections.map(({ name }) => name),
        isVerifying: index === 0,
      };
      const made = await makeInThread(order, (...at) => show(index, ...at), ending.signal);
      if (made) part.takeUp(made);
      else await here(() => part.make());
    }
  } catch (error) {
    readModel.transaction(() => dropRun(database, run));
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    endRun(database, run);
  }
  readModel.rebind();
}

/**
 * Builds of one connection run one at a time, across rebuilds: each changes the connection's
 * settings.
 */
function turnsOn(database: Database.Database): ReturnType<typeof turns> {
  const known = turnsOfConnections.get(database) ?? turns();
  turnsOfConnections.set(database, known);
  return known;
}

const turnsOfConnections = new WeakMap<Database.Database, ReturnType<typeof turns>>();

/** Publishes the heartbeat and the progress of the slower part to other processes. */
function showing(readModel: ReadModel, run: number, parts: number, onProgress: OnProgress) {
  const positions: number[] = new Array(parts).fill(0);
  let told = -1;
  let reports = 0;
  return (part: number, at: number, head: number) => {
    positions[part] = at;
    const position = Math.min(...positions);
    if (reports++ % REPORTS_BETWEEN_SIGNS === 0) showIfFree(readModel.database, run, { position, head });
    if (position > told) onProgress(position, head);
    told = position;
  };
}

/** Each heartbeat is a commit. */
const REPORTS_BETWEEN_SIGNS = 5;

/**
 * Skips the heartbeat while a thread writes: waiting would block everything else in this process.
 */
function showIfFree(database: Database.Database, run: number, progress: RebuildProgress): void {
  const timeout_ms = database.pragma("busy_timeout", { simple: true });
  database.pragma("busy_timeout = 0");
  try {
    database.transaction(() => showRun(database, run, progress)).immediate();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith("SQLITE_BUSY"))
      throw asReadModelError(error, database.name);
  } finally {
    database.pragma(`busy_timeout = ${timeout_ms}`);
  }
}

/**
 * The projections of each thread; a single set runs in the caller's thread. The board takes longer
 * than all others together; for a short log, starting threads takes longer than they save.
 */
async function threadsFor(
  { database: { name: path } }: ReadModel,
  log: EventLog,
  projections: readonly Projection[],
): Promise<readonly (readonly Projection[])[]> {
  const others = projections.filter((one) => one !== board);
  const canBeSplit =
    others.length > 0 && others.length < projections.length && projections.every((one) => all.includes(one));
  const isInFiles = log.path !== undefined && path !== "" && path !== ":memory:";
  const canUse = canBeSplit && isInFiles && availableParallelism() > 1 && hasRebuildThread();
  return canUse && (await log.head()) >= WORTH_THREADS ? [others, [board]] : [projections];
}

const WORTH_THREADS = 20_000;
