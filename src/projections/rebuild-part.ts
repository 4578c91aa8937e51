import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import type { Checkpoint } from "./checkpoints.ts";
import { type OnProgress, reduceEvents, reduceLog, type Sink } from "./engine.ts";
import { type MemoryRows, openMemoryRows } from "./memory-rows.ts";
import type { Projection } from "./projection.ts";
import type { ReadModel } from "./read-model.ts";
import { type BoundProjection, bind, isOfReducer } from "./reduce.ts";
import { schemaOf } from "./schema.ts";
import {
  createIndexSql,
  createLookupSql,
  createSearchSql,
  createTableSql,
  dropTableSql,
  type NameOf,
  type Table,
} from "./table.ts";

/** Where the tables of a rebuild are made. */
export type Place = Pick<ReadModel, "database" | "transaction" | "requireRoom">;

/** How far the tables of some projections are rebuilt, and which projections had to be stopped on the way. */
export interface PartState {
  position: number;
  leafHash: string;
  /** Events that had been redacted when they were reduced. */
  readonly redacted: Set<number>;
  readonly stopped: Map<string, { position: number; leaf_hash: string; error: string }>;
}

export interface PartOptions {
  readonly onProgress: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

/** The tables of some projections while they are rebuilt, under names of their own: `tasks__r12`. */
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
   * Makes the tables up to the present head, with all indexes. Rows are kept in memory until they are settled, which is
   * several times as fast; where that cannot tell before which event a reducer must stop, each batch is a transaction.
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

  /** Takes up what another thread has made. */
  takeUp(made: PartState): void {
    this.#state = made;
  }

  /**
   * Reduces what has come since.
   *
   * @param until the event to end at; absent: the head of the log, also where that moves
   * @returns what stands in the tables then
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
      // One after the other: what else this process does goes on meanwhile.
      await nextTurn();
      signal?.throwIfAborted();
      this.#place.transaction(() => this.#place.database.exec(sql));
      onProgress(this.#state.position, this.#state.position);
    }
  }

  /** Empty ones, whatever was begun before, also by a thread that failed. */
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
 * Many pages are written several times, and copied into the file, with a sync, when the journal is full. On a disk that others
 * write to as well, a sync may take the lock for many seconds.
 */
const FOR_WRITING = { cache_size: -16_384, wal_autocheckpoint: 16_384, busy_timeout: 60_000 };
/** Rows in memory are checked already, and it would be a third of the time that writing takes. */
const FOR_FILLING = { ...FOR_WRITING, ignore_check_constraints: 1 };

/** Does some work with other settings of the connection. */
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
