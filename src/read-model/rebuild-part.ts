import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import type { Projection } from "../projections/projection.ts";
import {
  createIndexSql,
  createLookupSql,
  createSearchSql,
  createTableSql,
  dropTableSql,
  type NameOf,
  type Table,
} from "../projections/table.ts";
import type { Checkpoint } from "./checkpoints.ts";
import { type OnProgress, reduceEvents, reduceLog, type Sink } from "./engine.ts";
import { type MemoryRows, openMemoryRows } from "./memory-rows.ts";
import type { ReadModel } from "./read-model.ts";
import { type BoundProjection, bind, isOfReducer } from "./reduce.ts";
import { schemaOf } from "./schema.ts";

/** The target of a rebuild. */
export type Place = Pick<ReadModel, "database" | "transaction" | "requireRoom">;

/** The progress of rebuilding some projections, and which of them had to be stopped. */
export interface PartState {
  position: number;
  leafHash: string;
  /** Events that were already redacted when they were reduced. */
  readonly redacted: Set<number>;
  readonly stopped: Map<string, { position: number; leaf_hash: string; error: string }>;
}

export interface PartOptions {
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

/** The tables of some projections during a rebuild, under temporary names: `tasks__r12`. */
export class RebuildPart {
  readonly projections: readonly Projection[];
  readonly #place: Place;
  readonly #log: Pick<EventLog, "head" | "read">;
  readonly #tables: readonly Table[];
  readonly #options: PartOptions;
  readonly #nameOf: NameOf;
  #state = begun();

  constructor(
    place: Place,
    log: Pick<EventLog, "head" | "read">,
    run: number,
    projections: readonly Projection[],
    options: PartOptions,
  ) {
    this.#place = place;
    this.#log = log;
    this.projections = projections;
    this.#tables = projections.flatMap(({ tables }) => Object.values(tables));
    this.#options = options;
    this.#nameOf = ({ name }) => `${name}__r${run}`;
  }

  get state(): PartState {
    return this.#state;
  }

  /**
   * Reduces up to the current head and makes all indexes. Rows stay in memory until they settle,
   * which is several times as fast; if that cannot tell before which event a reducer must stop,
   * each batch is a transaction.
   *
   * @throws RedactedMeanwhile
   */
  async make(): Promise<void> {
    this.#makeTables();
    try {
      await withPragmas(this.#place.database, FOR_FILLING, () => this.#fillFromMemory());
    } catch (error) {
      if (!isOfReducer(error)) throw error;
      this.#makeTables(createLookupSql);
      this.#state = begun();
      await this.reduceFurther();
    }
    await withPragmas(this.#place.database, FOR_WRITING, () => this.#makeIndexes());
  }

  /** Takes over the tables that another thread made. */
  takeUp(made: PartState): void {
    this.#state = made;
  }

  /**
   * Reduces the events that came since.
   *
   * @param until the last event to reduce; absent: the head of the log, even if it moves
   * @returns the checkpoint of the tables
   */
  async reduceFurther(until?: number): Promise<readonly BoundProjection[]> {
    const bound = this.projections.map((one) => bind(this.#place.database, one, this.#nameOf));
    const sink: Sink = {
      ...this.#sink(bound),
      transaction: (work) => this.#place.transaction(work),
      stop: ({ projection, message }) =>
        this.#state.stopped.set(projection, {
          position: this.#state.position,
          leaf_hash: this.#state.leafHash,
          error: message,
        }),
    };
    await this.#reduce(sink, until);
    return bound;
  }

  checkpoints(): Checkpoint[] {
    return this.projections.map((projection) => {
      const stopped = this.#state.stopped.get(projection.name);
      return {
        name: projection.name,
        version: projection.version,
        schema: schemaOf(projection),
        position: stopped?.position ?? this.#state.position,
        leaf_hash: stopped?.leaf_hash ?? this.#state.leafHash,
        head: this.#state.position,
        state: stopped ? "stopped" : "live",
        error: stopped?.error ?? null,
      };
    });
  }

  async #fillFromMemory(): Promise<void> {
    const memory: MemoryRows[] = [];
    const bound = this.projections.map((projection) =>
      bind(this.#place.database, projection, this.#nameOf, (...of) => {
        const rows = openMemoryRows(...of);
        memory.push(rows);
        return rows;
      }),
    );
    const settle = (act: (rows: MemoryRows) => void) => this.#place.transaction(() => memory.forEach(act));
    let batches = 0;
    const sink = this.#sink(bound);
    await this.#reduce({
      ...sink,
      transaction: (work) => work(),
      moveTo(last) {
        sink.moveTo(last);
        if (++batches % BATCHES_BETWEEN_WRITES === 0) settle((rows) => rows.evict());
      },
      stop(failure) {
        throw failure;
      },
    });
    settle((rows) => rows.flush());
  }

  #sink(bound: readonly BoundProjection[]): Pick<Sink, "state" | "begin" | "moveTo"> {
    return {
      state: () => {
        const position = this.#state.position;
        const live = bound.filter(({ projection }) => !this.#state.stopped.has(projection.name));
        return { position, live: live.map((one) => ({ bound: one, position })) };
      },
      begin: (event: Event) => {
        if (event.redacted !== undefined) this.#state.redacted.add(event.position);
      },
      moveTo: ({ position, leafHash }) => {
        this.#state.position = position;
        this.#state.leafHash = leafHash;
      },
    };
  }

  async #reduce(sink: Sink, until?: number): Promise<void> {
    const target = {
      position: () => this.#state.position,
      advance(events: readonly Event[]) {
        reduceEvents(sink, events);
        return true;
      },
      wasRedacted: (position: number) => this.#state.redacted.has(position),
      requireRoom: () => this.#place.requireRoom(),
    };
    await reduceLog(this.#log, target, { ...this.#options, until });
  }

  async #makeIndexes(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const indexes = this.#tables.flatMap((table) => [
      ...createIndexSql(table, this.#nameOf(table)),
      ...createSearchSql(table, this.#nameOf),
    ]);
    for (const sql of indexes) {
      // One after another: other work of this process runs in between.
      await nextTurn();
      signal?.throwIfAborted();
      this.#place.transaction(() => this.#place.database.exec(sql));
      onProgress(this.#state.position, this.#state.position);
    }
  }

  /** Creates empty tables, dropping earlier ones, such as those of a failed thread. */
  #makeTables(more: typeof createLookupSql = () => []): void {
    this.#place.transaction(() => {
      for (const table of this.#tables) {
        const name = this.#nameOf(table);
        const dropped = dropTableSql(table, this.#nameOf);
        for (const sql of [...dropped, createTableSql(table, name), ...more(table, name)])
          this.#place.database.exec(sql);
      }
    });
  }
}

const BATCHES_BETWEEN_WRITES = 5;

/**
 * Many pages are rewritten several times, and are copied into the file with a sync when the journal
 * is full. On a busy disk a sync may hold the lock for many seconds.
 */
const FOR_WRITING = { cache_size: -16_384, wal_autocheckpoint: 16_384, busy_timeout: 60_000 };
/** Rows in memory were checked already; checking again would be a third of the writing time. */
const FOR_FILLING = { ...FOR_WRITING, ignore_check_constraints: 1 };

/** Runs some work with other settings of the connection. */
async function withPragmas<T>(
  database: Database.Database,
  pragmas: Readonly<Record<string, number>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(pragmas).map((name) => [name, database.pragma(name, { simple: true })] as const);
  for (const [name, value] of Object.entries(pragmas)) database.pragma(`${name} = ${value}`);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) database.pragma(`${name} = ${value}`);
  }
}

function begun(): PartState {
  return { position: 0, leafHash: "", redacted: new Set(), stopped: new Map() };
}
