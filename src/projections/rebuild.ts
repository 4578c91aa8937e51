import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import type { Event } from "../events/types/index.ts";
import type { Checkpoint } from "./checkpoints.ts";
import type { Projection } from "./projection.ts";
import type { ReadModel } from "./read-model.ts";
import { type BoundProjection, bind, reduce, reduceAll } from "./reduce.ts";
import { schemaOf } from "./schema.ts";
import { createIndexSql, createTableSql, quote } from "./table.ts";

/**
 * Reduces the whole log again for some projections, beside their present tables, which go on being read; then swaps
 * the new tables in, in one transaction. Large batches, and the indexes for readers last.
 *
 * Each rebuild has tables of its own (`tasks__r12`), so two processes that rebuild at once only do the work twice.
 * Tables that a dead process left behind are removed by the next rebuild.
 */
export async function rebuild(
  readModel: ReadModel,
  log: EventLog,
  projections: readonly Projection[] = readModel.projections,
  onProgress: (position: number, head: number) => void = () => {},
): Promise<void> {
  const { database } = readModel;
  const run = readModel.transaction(() => startRun(readModel));
  own.add(keyOf(readModel, run));
  const bound = readModel.transaction(() =>
    projections.map((projection) => {
      for (const table of Object.values(projection.tables)) {
        for (const sql of createTableSql(table, `${table.name}__r${run}`)) database.exec(sql);
      }
      return bind(database, projection, (table) => `${table.name}__r${run}`);
    }),
  );
  try {
    const progress = new Progress(readModel, bound);
    await reduceToHead(log, progress, onProgress);
    readModel.transaction(() => {
      for (const { projection, nameOf } of bound) {
        for (const table of Object.values(projection.tables)) {
          for (const sql of createIndexSql(table, nameOf(table))) database.exec(sql);
        }
      }
    });
    // What was appended while the indexes were made.
    await reduceToHead(log, progress, onProgress);
    readModel.transaction(() => {
      readModel.swapIn(bound, progress.checkpoints());
      database.prepare("DELETE FROM rebuilds WHERE run = ?").run(run);
    });
  } catch (error) {
    readModel.transaction(() => dropRun(readModel, run));
    throw error;
  } finally {
    own.delete(keyOf(readModel, run));
  }
  readModel.rebind();
}

const BATCH = 10_000;

async function reduceToHead(
  log: EventLog,
  progress: Progress,
  onProgress: (position: number, head: number) => void,
): Promise<void> {
  for (let head = await log.head(); progress.position < head; head = await log.head()) {
    progress.reduce(await log.read(progress.position, BATCH));
    onProgress(progress.position, head);
    await nextTurn();
  }
}

/** Where a rebuild has come to, projection by projection. */
class Progress {
  position = 0;
  #leafHash = "";
  readonly #readModel: ReadModel;
  readonly #bound: readonly BoundProjection[];
  readonly #stopped = new Map<string, Checkpoint>();

  constructor(readModel: ReadModel, bound: readonly BoundProjection[]) {
    this.#readModel = readModel;
    this.#bound = bound;
  }

  reduce(events: readonly Event[]): void {
    reduceAll(
      events,
      (batch) => this.#attempt(batch.filter(({ position }) => position > this.position)),
      ({ projection, message }) => {
        const stopped = this.#bound.find((bound) => bound.projection.name === projection);
        if (stopped)
          this.#stopped.set(projection, this.#checkpointOf(stopped.projection, "stopped", message));
      },
    );
  }

  checkpoints(): Checkpoint[] {
    return this.#bound.map(({ projection }) => ({
      ...(this.#stopped.get(projection.name) ?? this.#checkpointOf(projection, "live", null)),
      head: this.position,
    }));
  }

  #attempt(events: readonly Event[]): void {
    const live = this.#bound.filter(({ projection }) => !this.#stopped.has(projection.name));
    this.#readModel.transaction(() => {
      for (const event of events) {
        for (const bound of live) reduce(bound, event);
      }
    });
    const last = events.at(-1);
    this.position = last?.position ?? this.position;
    this.#leafHash = last?.leafHash ?? this.#leafHash;
  }

  #checkpointOf(projection: Projection, state: Checkpoint["state"], error: string | null): Checkpoint {
    const { name, version } = projection;
    return {
      name,
      version,
      schema: schemaOf(projection),
      position: this.position,
      leaf_hash: this.#leafHash,
      head: this.position,
      state,
      error,
    };
  }
}

function startRun(readModel: ReadModel): number {
  const runs = readModel.database
    .prepare<[], { run: number; pid: number }>("SELECT run, pid FROM rebuilds")
    .all();
  for (const { run, pid } of runs) {
    if (!isRunning(readModel, run, pid)) dropRun(readModel, run);
  }
  return Number(
    readModel.database.prepare("INSERT INTO rebuilds (pid) VALUES (?)").run(process.pid).lastInsertRowid,
  );
}

function dropRun({ database }: ReadModel, run: number): void {
  const tables = database
    .prepare<[string], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ? ESCAPE '\\'",
    )
    .pluck()
    .all(`%\\_\\_r${run}`);
  for (const table of tables) database.exec(`DROP TABLE ${quote(table)}`);
  database.prepare("DELETE FROM rebuilds WHERE run = ?").run(run);
}

/** Rebuilds of this process, by file and run: a dead one may have had the same process number. */
const own = new Set<string>();

function keyOf({ database }: ReadModel, run: number): string {
  return `${database.name}#${run}`;
}

function isRunning(readModel: ReadModel, run: number, pid: number): boolean {
  if (pid === process.pid) return own.has(keyOf(readModel, run));
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
