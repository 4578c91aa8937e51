import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import { eraseRemains } from "../events/redaction/erase-remains.ts";
import type { Event } from "../events/types/index.ts";
import { REDACTION_TYPE } from "../events/types/redactions.ts";
import type { Checkpoint } from "./checkpoints.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { Projection } from "./projection.ts";
import type { ReadModel } from "./read-model.ts";
import { dropRun, endRun, showRun, startRun } from "./rebuild-runs.ts";
import {
  type BoundProjection,
  bind,
  bindInMemory,
  isOfReducer,
  type ReducerFailure,
  reduce,
  reduceAll,
} from "./reduce.ts";
import { schemaOf } from "./schema.ts";
import { createIndexSql, createLookupSql, createTableSql, quote, type Table } from "./table.ts";

/**
 * Reduces the whole log again for some projections, beside their present tables, which go on being read; then swaps
 * the new tables in, in one transaction. Large batches, and the indexes for readers last.
 *
 * Each rebuild has tables of its own (`tasks__r12`), so two processes that rebuild at once only do the work twice.
 * Tables that a dead process left behind are removed when the read model is opened, and by the next rebuild.
 *
 * If an event is redacted that was reduced already, what was made is thrown away, and all is reduced again.
 */
export async function rebuild(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[] = readModel.projections,
  onProgress: OnProgress = () => {},
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rebuildOnce(readModel, log, projections, onProgress);
      if (tries > 1) eraseRemains(readModel.database);
      return;
    } catch (error) {
      if (!(error instanceof RedactedMeanwhile)) throw error;
    }
  }
}

/** What was reduced holds a text that was removed since it was read. */
class RedactedMeanwhile extends Error {}

async function rebuildOnce(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[],
  onProgress: OnProgress,
): Promise<void> {
  const { database } = readModel;
  const run = readModel.transaction(() => startRun(database));
  const nameOf = (table: Table) => `${table.name}__r${run}`;
  // Others who need the read model wait for as long as this goes on.
  let told = -1;
  const show: OnProgress = (position, head) => {
    readModel.transaction(() => showRun(database, run, { position, head }));
    if (position > told) onProgress(position, head);
    told = position;
  };
  try {
    const progress = await fill(readModel, log, projections, nameOf, show);
    const bound = projections.map((projection) => bind(database, projection, nameOf));
    // What was appended while the indexes were made.
    await reduceToHead(
      readModel,
      log,
      progress,
      (events) => reduceInTransaction(readModel, bound, progress, events),
      show,
    );
    readModel.transaction(() => {
      readModel.swapIn(bound, progress.checkpoints(projections));
      dropRun(database, run);
    });
  } catch (error) {
    readModel.transaction(() => dropRun(database, run));
    throw error;
  } finally {
    endRun(database, run);
  }
  readModel.rebind();
}

/**
 * Makes the tables and fills them, with all indexes. Rows are kept in memory until they are settled, which is several
 * times as fast; where that cannot tell before which event a reducer must stop, each batch is a transaction.
 */
async function fill(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[],
  nameOf: (table: Table) => string,
  onProgress: OnProgress,
): Promise<Progress> {
  const { database } = readModel;
  const tables = projections.flatMap((projection) => Object.values(projection.tables));
  const run = (statementsOf: (table: Table) => readonly string[]) =>
    readModel.transaction(() => {
      for (const sql of tables.flatMap(statementsOf)) database.exec(sql);
    });

  run((table) => [createTableSql(table, nameOf(table))]);
  let progress = new Progress();
  try {
    const bound = projections.map((projection) => bindInMemory(database, projection, nameOf));
    const rows = bound.flatMap(({ memory }) => memory);
    const settle = (act: (rows: MemoryRows) => void) => readModel.transaction(() => rows.forEach(act));
    let batches = 0;
    const reduceBatch = (events: readonly Event[]) => {
      for (const event of events) for (const projection of bound) reduce(projection, event);
      progress.moveTo(events);
      if (++batches % BATCHES_BETWEEN_WRITES === 0) settle((rowsOfTable) => rowsOfTable.evict());
    };
    await reduceToHead(readModel, log, progress, reduceBatch, onProgress);
    settle((rowsOfTable) => rowsOfTable.flush());
  } catch (error) {
    if (!isOfReducer(error)) throw error;
    run((table) => [
      `DROP TABLE ${quote(nameOf(table))}`,
      createTableSql(table, nameOf(table)),
      ...createLookupSql(table, nameOf(table)),
    ]);
    progress = new Progress();
    const bound = projections.map((projection) => bind(database, projection, nameOf));
    await reduceToHead(
      readModel,
      log,
      progress,
      (events) => reduceInTransaction(readModel, bound, progress, events),
      onProgress,
    );
  }
  for (const table of tables) {
    // One after the other: what else this process does goes on meanwhile.
    await nextTurn();
    readModel.transaction(() => {
      for (const sql of createIndexSql(table, nameOf(table))) database.exec(sql);
    });
    onProgress(progress.position, progress.position);
  }
  return progress;
}

export type OnProgress = (position: number, head: number) => void;

/** What is read in one go has to be collected by the garbage collector again: small batches are faster. */
const BATCH = 1_000;
const BATCHES_BETWEEN_WRITES = 5;

async function reduceToHead(
  readModel: ReadModel,
  log: EventLog,
  progress: Progress,
  reduceBatch: (events: readonly Event[]) => void,
  onProgress: OnProgress,
): Promise<void> {
  for (let head = await log.head(); progress.position < head; head = await log.head()) {
    readModel.requireRoom();
    const events = await log.read(progress.position, BATCH);
    progress.checkRedactions(events);
    reduceBatch(events);
    onProgress(progress.position, head);
    await nextTurn();
  }
}

function reduceInTransaction(
  readModel: ReadModel,
  bound: readonly BoundProjection[],
  progress: Progress,
  batch: readonly Event[],
): void {
  const attempt = (events: readonly Event[]) => {
    const live = bound.filter(({ projection }) => !progress.isStopped(projection));
    const next = events.filter(({ position }) => position > progress.position);
    readModel.transaction(() => {
      for (const event of next) for (const projection of live) reduce(projection, event);
    });
    progress.moveTo(next);
  };
  reduceAll(batch, attempt, (failure) => progress.stop(failure));
}

/** Where a rebuild has come to, and which projections it had to stop on the way. */
class Progress {
  position = 0;
  #leafHash = "";
  readonly #redacted = new Set<number>();
  readonly #stopped = new Map<string, { position: number; leaf_hash: string; error: string }>();

  /** @throws RedactedMeanwhile */
  checkRedactions(events: readonly Event[]): void {
    for (const event of events) {
      if (event.redacted !== undefined) this.#redacted.add(event.position);
      if (event.type === REDACTION_TYPE && !this.#redacted.has(event.payload.position)) {
        throw new RedactedMeanwhile();
      }
    }
  }

  moveTo(events: readonly Event[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.position = last.position;
    this.#leafHash = last.leafHash;
  }

  stop({ projection, message }: ReducerFailure): void {
    this.#stopped.set(projection, { position: this.position, leaf_hash: this.#leafHash, error: message });
  }

  isStopped({ name }: Projection): boolean {
    return this.#stopped.has(name);
  }

  checkpoints(projections: readonly Projection[]): Checkpoint[] {
    return projections.map((projection) => {
      const stopped = this.#stopped.get(projection.name);
      return {
        name: projection.name,
        version: projection.version,
        schema: schemaOf(projection),
        position: stopped?.position ?? this.position,
        leaf_hash: stopped?.leaf_hash ?? this.#leafHash,
        head: this.position,
        state: stopped ? "stopped" : "live",
        error: stopped?.error ?? null,
      };
    });
  }
}
