import Database from "better-sqlite3";
import type { Event } from "../../events/types/index.ts";
import { board as boardProjection } from "../../projections/board/index.ts";
import { type Board, boardTables, type IndexedBoard } from "../../projections/board/tables.ts";
import type { Table } from "../../projections/table.ts";
import { reduce } from "../../read-model/reduce.ts";
import { CountsOfTwoWorlds } from "./counts-of-two-worlds.ts";
import { OtherPolicy } from "./other-policy.ts";
import type { WhatIfPolicy } from "./policy.ts";
import { ReadyTasks } from "./ready-tasks.ts";
import {
  type AnyRows,
  type TableName,
  TableOfTwoWorlds,
  type Turn,
  type Written,
} from "./table-of-two-worlds.ts";

/**
 * Two boards that reduce the same events: the recorded one, and one under another policy from the
 * first event on.
 */
export interface Worlds {
  readonly was: IndexedBoard;
  readonly wouldBe: IndexedBoard;
  readonly wasReady: Pick<ReadyTasks, "next">;
  readonly wouldBeReady: Pick<ReadyTasks, "next">;
  /**
   * Reduces an event in both worlds, or only in the recorded one.
   *
   * @returns the written rows that differ, perhaps with others and duplicates
   */
  reduce(event: Event, isLeftOut: boolean): readonly Written[];
  close(): void;
}

/**
 * Both worlds use the projection's own reducers. The other board only stores the differing rows,
 * and reduces an event only if a reducer reads one of them: equal input gives equal output
 * (docs/decisions/0046).
 *
 * The data lives in memory and a nameless file, which disappears on close or with the process.
 */
export class TwoWorlds implements Worlds {
  readonly was: IndexedBoard;
  readonly wouldBe: IndexedBoard;
  readonly wasReady = new ReadyTasks();
  readonly wouldBeReady = new ReadyTasks();
  readonly #noted: Board;
  readonly #database = new Database("");
  readonly #turn: Turn = { metWhatDiffers: false, was: [], wouldBe: [] };
  readonly #tables: readonly TableOfTwoWorlds[];
  readonly #counts = new CountsOfTwoWorlds();
  readonly #policy: OtherPolicy;
  readonly #eventsBetweenWrites: number;
  #reduced = 0;

  /** @param limits for memory, as in a rebuild: rows per table, and writes of so many events */
  constructor(policy: WhatIfPolicy, limits = { rows: 4_000, events: 5_000 }) {
    const kept = TABLES.filter((name) => name !== "taskCounts" && !UNASKED.has(name));
    this.#tables = kept.map(
      (name) => new TableOfTwoWorlds(this.#database, name, tableNamed(name), this.#turn, limits.rows),
    );
    this.#eventsBetweenWrites = limits.events;
    this.was = this.#boardOf(({ was }) => was, this.#counts.was);
    this.#noted = this.#boardOf(({ noted }) => noted, this.#counts.was);
    this.wouldBe = this.#boardOf(({ wouldBe }) => wouldBe, this.#counts.wouldBe);
    this.#policy = new OtherPolicy(policy, this.wouldBe);
  }

  reduce(event: Event, isLeftOut: boolean): readonly Written[] {
    const turn = this.#turn;
    turn.metWhatDiffers = false;
    turn.was.length = 0;
    turn.wouldBe.length = 0;
    this.#counts.begin();
    reduceOn(this.#noted, event);
    const isSame = !turn.metWhatDiffers && !isLeftOut;
    if (isSame) this.#counts.repeat();
    else for (const written of turn.was) written.table.keep(written);
    if (!isSame && !isLeftOut && !this.#policy.replaces(event)) reduceOn(this.wouldBe, event);
    this.#policy.rewritePriorities(this.#tasksWritten());
    for (const id of this.#tasksWritten()) {
      this.wasReady.note(id, this.was.tasks.get(id));
      this.wouldBeReady.note(id, this.wouldBe.tasks.get(id));
    }
    if (++this.#reduced % this.#eventsBetweenWrites === 0) this.#evict();
    return isSame && turn.wouldBe.length === 0 ? [] : this.#settle();
  }

  close(): void {
    this.#database.close();
  }

  #tasksWritten(): number[] {
    const { was, wouldBe } = this.#turn;
    const ids: number[] = [];
    for (const { table, key } of was) if (table.name === "tasks") ids.push(Number(key[0]));
    for (const { table, key } of wouldBe) if (table.name === "tasks") ids.push(Number(key[0]));
    return ids;
  }

  /** @returns the written rows that differ now */
  #settle(): Written[] {
    const { was, wouldBe } = this.#turn;
    return [...was, ...wouldBe].filter((written) => {
      if (written.table.name !== "taskIds") return written.table.settle(written);
      // A proposed task keeps its recorded id, whatever was left out.
      written.table.share(written);
      return false;
    });
  }

  #evict(): void {
    this.#database.transaction(() => {
      for (const table of this.#tables) table.evict();
    })();
  }

  #boardOf(rowsOf: (table: TableOfTwoWorlds) => AnyRows, taskCounts: AnyRows): IndexedBoard {
    const known = new Map(this.#tables.map((table) => [table.name, rowsOf(table)]));
    known.set("taskCounts", taskCounts);
    // Made from the board's own tables, each under its name; a list of entries loses that type.
    return Object.fromEntries(
      TABLES.map((name) => [name, known.get(name) ?? unaskedRows(name)]),
    ) as unknown as IndexedBoard;
  }
}

// The task of a key.
const TABLES = Object.keys(boardTables) as TableName[];

function reduceOn(rows: Board, event: Event): void {
  reduce({ projection: boardProjection, rows, nameOf: ({ name }) => name }, event);
}

/** Rows that no reducer of the board and no decision reads are not stored. */
const UNASKED: ReadonlySet<TableName> = new Set(["signals", "sessionStates"]);

function unaskedRows(name: TableName): AnyRows {
  const refuse = () => {
    throw new Error(`What-if keeps no ${name}: take it out of UNASKED (src/history/what-if/two-worlds.ts).`);
  };
  const ignore = () => {};
  return {
    get: refuse,
    where: refuse,
    first: refuse,
    scan: refuse,
    insert: ignore,
    update: ignore,
    delete: ignore,
    evict: ignore,
  };
}

/**
 * A table of the board with the lookups of decisions and what-if, in place of the readers' indexes.
 */
function tableNamed(name: TableName): Table {
  const table = boardTables[name];
  return name === "statusChanges" ? { ...table, lookups: { by_task: ["task_id"] } } : table;
}
