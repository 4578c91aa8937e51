import Database from "better-sqlite3";
import type { Event } from "../../events/types/index.ts";
import { board as boardProjection } from "../../projections/board/index.ts";
import { isReady } from "../../projections/board/status.ts";
import { type Board, boardTables } from "../../projections/board/tables.ts";
import { type MemoryRows, openMemoryRows } from "../../projections/memory-rows.ts";
import { reduce } from "../../projections/reduce.ts";
import type { Key, Rows } from "../../projections/rows.ts";
import { createTableSql, type Table } from "../../projections/table.ts";

export type TableName = keyof typeof boardTables;

/** A row that an event wrote. */
export interface Touched {
  readonly table: TableName;
  readonly key: readonly Key[];
}

/**
 * A board of its own, reduced event by event by the projection's own reducers, that tells which rows each event wrote.
 * It lives in memory and a nameless file, which is gone when it is closed.
 */
export class World {
  readonly board: Board;
  readonly #database = new Database("");
  readonly #memory: MemoryRows[] = [];
  readonly #ready = new Map<number, number>();
  #touched = new Map<string, Touched>();
  #reduced = 0;

  constructor() {
    const tables = Object.entries(boardTables).map(([name, table]) => {
      this.#database.exec(createTableSql(table, table.name));
      const rows = openMemoryRows(this.#database, table as Table, table.name);
      this.#memory.push(rows);
      return [name, noting(rows, table, (key) => this.#note(name as TableName, key))] as const;
    });
    // Made from the board's own tables, each under its name, which a list of entries cannot show.
    this.board = Object.fromEntries(tables) as unknown as Board;
  }

  /** Reduces an event. */
  reduce(event: Event): void {
    reduce({ projection: boardProjection, rows: this.board, nameOf: ({ name }) => name }, event);
    if (++this.#reduced % EVENTS_BETWEEN_WRITES === 0) {
      this.#database.transaction(() => {
        for (const rows of this.#memory) rows.evict();
      })();
    }
  }

  /** The rows that were written since this was last asked. */
  takeTouched(): Iterable<Touched> {
    const touched = this.#touched;
    if (touched.size > 0) this.#touched = new Map();
    for (const { table, key } of touched.values())
      if (table === "tasks") this.#lookAtReadiness(Number(key[0]));
    return touched.values();
  }

  /** The next task of the ready ones, by priority, then by id (rules.md, Task statuses). */
  next(isLeftOut: (task: number) => boolean = () => false): number | undefined {
    let [next, lowest]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [id, rank] of this.#ready) {
      if (rank > lowest || (rank === lowest && next !== undefined && id > next) || isLeftOut(id)) continue;
      [next, lowest] = [id, rank];
    }
    return next;
  }

  close(): void {
    this.#database.close();
  }

  #note(table: TableName, key: readonly Key[]): void {
    this.#touched.set(`${table} ${key.join(" ")}`, { table, key });
  }

  #lookAtReadiness(id: number): void {
    const task = this.board.tasks.get(id);
    if (task && isReady(task)) this.#ready.set(id, task.priority_rank);
    else this.#ready.delete(id);
  }
}

/** As a rebuild does it (src/projections/rebuild.ts): memory stays within its limit however long the log. */
const EVENTS_BETWEEN_WRITES = 5_000;

/** The same rows, telling the key of each one that is written. */
function noting(rows: Rows, { key: columns }: Table, note: (key: readonly Key[]) => void): Rows {
  return {
    get: (...key) => rows.get(...key),
    where: (match, test) => rows.where(match, test),
    first: (limit, match) => rows.first(limit, match),
    insert(row) {
      const values = row as Partial<Record<string, Key>>;
      note(columns.map((column) => values[column] ?? ""));
      rows.insert(row);
    },
    update(key, change) {
      note(typeof key === "object" ? key : [key]);
      rows.update(key, change);
    },
    delete(...key) {
      note(key);
      rows.delete(...key);
    },
  };
}
