import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import { eraseRemains } from "../events/redaction/erase-remains.ts";
import type { Event } from "../events/types/index.ts";
import type { Checkpoint } from "./checkpoints.ts";
import {
  type OnProgress,
  RedactedMeanwhile,
  reduceEvents,
  reduceLog,
  type Sink,
  type Target,
} from "./engine.ts";
import { type MemoryRows, openMemoryRows } from "./memory-rows.ts";
import type { Projection } from "./projection.ts";
import type { ReadModel } from "./read-model.ts";
import { dropRun, endRun, showRun, startRun } from "./rebuild-runs.ts";
import { type BoundProjection, bind, isOfReducer, type ReducerFailure } from "./reduce.ts";
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
 *
 * @param signal ends it between two batches or indexes, with the signal's reason; nothing of it is left
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
      await new Rebuild(readModel, log, projections, signal).run(onProgress);
      if (tries > 1) eraseRemains(readModel.database);
      return;
    } catch (error) {
      if (!(error instanceof RedactedMeanwhile)) throw error;
    }
  }
}

class Rebuild {
  readonly #readModel: ReadModel;
  readonly #log: EventLog;
  readonly #projections: readonly Projection[];
  readonly #tables: readonly Table[];
  readonly #signal: AbortSignal | undefined;
  readonly #number: number;
  #progress = new Progress();
  #show: OnProgress = () => {};

  constructor(
    readModel: ReadModel,
    log: EventLog,
    projections: readonly Projection[],
    signal: AbortSignal | undefined,
  ) {
    this.#readModel = readModel;
    this.#log = log;
    this.#projections = projections;
    this.#tables = projections.flatMap(({ tables }) => Object.values(tables));
    this.#signal = signal;
    this.#number = readModel.transaction(() => startRun(readModel.database));
  }

  async run(onProgress: OnProgress): Promise<void> {
    const { database } = this.#readModel;
    // Others who need the read model wait for as long as this goes on.
    let told = -1;
    this.#show = (position, head) => {
      this.#readModel.transaction(() => showRun(database, this.#number, { position, head }));
      if (position > told) onProgress(position, head);
      told = position;
    };
    try {
      await this.#fill();
      await this.#makeIndexes();
      const bound = this.#bind();
      // What was appended while the indexes were made.
      await this.#reduce(this.#stored(bound));
      this.#readModel.transaction(() => {
        this.#readModel.swapIn(bound, this.#progress.checkpoints(this.#projections));
        dropRun(database, this.#number);
      });
    } catch (error) {
      this.#readModel.transaction(() => dropRun(database, this.#number));
      throw error;
    } finally {
      endRun(database, this.#number);
    }
    this.#readModel.rebind();
  }

  /**
   * Makes the tables and fills them. Rows are kept in memory until they are settled, which is several times as fast;
   * where that cannot tell before which event a reducer must stop, each batch is a transaction.
   */
  async #fill(): Promise<void> {
    this.#exec((table) => [createTableSql(table, this.#nameOf(table))]);
    const { database } = this.#readModel;
    try {
      // Rows in memory are checked already, and it would be a third of the time that writing takes.
      database.pragma("ignore_check_constraints = ON");
      await this.#fillFromMemory().finally(() => database.pragma("ignore_check_constraints = OFF"));
    } catch (error) {
      if (!isOfReducer(error)) throw error;
      this.#exec((table) => [
        `DROP TABLE ${quote(this.#nameOf(table))}`,
        createTableSql(table, this.#nameOf(table)),
        ...createLookupSql(table, this.#nameOf(table)),
      ]);
      this.#progress = new Progress();
      await this.#reduce(this.#stored(this.#bind()));
    }
  }

  async #fillFromMemory(): Promise<void> {
    const { database } = this.#readModel;
    const memory: MemoryRows[] = [];
    const bound = this.#projections.map((projection) =>
      bind(database, projection, this.#nameOf, (...of) => {
        const rows = openMemoryRows(...of);
        memory.push(rows);
        return rows;
      }),
    );
    const settle = (act: (rows: MemoryRows) => void) =>
      this.#readModel.transaction(() => memory.forEach(act));
    let batches = 0;
    await this.#reduce(
      this.#sink(bound, {
        transaction: (work) => work(),
        moveTo: (last) => {
          this.#progress.moveTo(last);
          if (++batches % BATCHES_BETWEEN_WRITES === 0) settle((rows) => rows.evict());
        },
        stop: (failure) => {
          throw failure;
        },
      }),
    );
    settle((rows) => rows.flush());
  }

  /** Writes each batch to tables that have their lookups. */
  #stored(bound: readonly BoundProjection[]): Sink {
    return this.#sink(bound, {
      transaction: (work) => this.#readModel.transaction(work),
      moveTo: (last) => this.#progress.moveTo(last),
      stop: (failure) => this.#progress.stop(failure),
    });
  }

  #sink(bound: readonly BoundProjection[], writing: Pick<Sink, "transaction" | "moveTo" | "stop">): Sink {
    const progress = this.#progress;
    return {
      ...writing,
      state: () => ({
        position: progress.position,
        live: bound
          .filter(({ projection }) => !progress.isStopped(projection))
          .map((one) => ({ bound: one, position: progress.position })),
      }),
      begin: (event) => progress.note(event),
    };
  }

  async #reduce(sink: Sink): Promise<void> {
    const progress = this.#progress;
    const target: Target = {
      position: () => progress.position,
      advance(events) {
        reduceEvents(sink, events);
        return true;
      },
      wasRedacted: (position) => progress.wasRedacted(position),
      requireRoom: () => this.#readModel.requireRoom(),
    };
    await reduceLog(this.#log, target, { onProgress: this.#show, signal: this.#signal });
  }

  async #makeIndexes(): Promise<void> {
    const { position } = this.#progress;
    for (const sql of this.#tables.flatMap((table) => createIndexSql(table, this.#nameOf(table)))) {
      // One after the other: what else this process does goes on meanwhile.
      await nextTurn();
      this.#signal?.throwIfAborted();
      this.#readModel.transaction(() => this.#readModel.database.exec(sql));
      this.#show(position, position);
    }
  }

  #exec(statementsOf: (table: Table) => readonly string[]): void {
    this.#readModel.transaction(() => {
      for (const sql of this.#tables.flatMap(statementsOf)) this.#readModel.database.exec(sql);
    });
  }

  #bind(): readonly BoundProjection[] {
    return this.#projections.map((projection) => bind(this.#readModel.database, projection, this.#nameOf));
  }

  readonly #nameOf = (table: Table) => `${table.name}__r${this.#number}`;
}

const BATCHES_BETWEEN_WRITES = 5;

/** How far a rebuild is, and which projections it had to stop on the way. */
class Progress {
  position = 0;
  #leafHash = "";
  readonly #redacted = new Set<number>();
  readonly #stopped = new Map<string, { position: number; leaf_hash: string; error: string }>();

  note(event: Event): void {
    if (event.redacted !== undefined) this.#redacted.add(event.position);
  }

  wasRedacted(position: number): boolean {
    return this.#redacted.has(position);
  }

  moveTo({ position, leafHash }: Event): void {
    this.position = position;
    this.#leafHash = leafHash;
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
