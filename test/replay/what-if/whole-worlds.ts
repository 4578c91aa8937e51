import Database from "better-sqlite3";
import type { Event } from "../../../src/events/types/index.ts";
import { OtherPolicy } from "../../../src/history/what-if/other-policy.ts";
import type { WhatIfPolicy } from "../../../src/history/what-if/policy.ts";
import type { TableName, Written } from "../../../src/history/what-if/table-of-two-worlds.ts";
import type { Worlds } from "../../../src/history/what-if/two-worlds.ts";
import { board as boardProjection } from "../../../src/projections/board/index.ts";
import { isReady } from "../../../src/projections/board/status.ts";
import { type Board, boardTables } from "../../../src/projections/board/tables.ts";
import { type Key, openRows, type Rows } from "../../../src/projections/rows.ts";
import { createTableSql, type Table } from "../../../src/projections/table.ts";
import { reduce } from "../../../src/read-model/reduce.ts";

/** Both boards of a what-if as whole tables of a database, where every event is reduced in each and the next task is looked for. */
export class WholeWorlds implements Worlds {
  readonly #database = new Database(":memory:");
  #written: Written[] = [];
  readonly was = this.#board("was");
  readonly wouldBe = this.#board("would_be");
  readonly wasReady = { next: walk(this.was) };
  readonly wouldBeReady = { next: walk(this.wouldBe) };
  readonly #policy: OtherPolicy;
  readonly #prioritized: readonly number[];

  constructor(policy: WhatIfPolicy) {
    this.#policy = new OtherPolicy(policy, this.wouldBe);
    this.#prioritized = Object.keys(policy.priorities ?? {}).map(Number);
  }

  reduce(event: Event, isLeftOut: boolean): readonly Written[] {
    this.#written = [];
    const lastId = this.was.taskIds.get(1)?.last_id;
    reduceOn(this.was, event);
    if (!isLeftOut && !this.#policy.replaces(event)) {
      if (lastId !== undefined) this.wouldBe.taskIds.update(1, { last_id: lastId });
      reduceOn(this.wouldBe, event);
    }
    this.#policy.rewritePriorities(this.#prioritized);
    return this.#written;
  }

  close(): void {
    this.#database.close();
  }

  #board(world: string): Board {
    const tables = Object.entries(boardTables).map(([name, table]) => {
      const as = `${table.name}__${world}`;
      this.#database.exec(createTableSql(table, as));
      const rows: Rows = openRows(this.#database, table as Table, as);
      const note = (key: readonly Key[]) =>
        void this.#written.push({ table: { name: name as TableName }, key });
      return [name, noting(rows, table, note)] as const;
    });
    return Object.fromEntries(tables) as unknown as Board;
  }
}

function reduceOn(rows: Board, event: Event): void {
  reduce({ projection: boardProjection, rows, nameOf: ({ name }) => name }, event);
}

/** Looks at every task for the one of the ready ones that comes first by priority, then by id. */
function walk({ tasks }: Board) {
  return (isLeftOut: (task: number) => boolean = () => false) =>
    tasks
      .scan((task) => task.status === "pending" && isReady(task) && !isLeftOut(task.id))
      .sort((a, b) => a.priority_rank - b.priority_rank || a.id - b.id)[0]?.id;
}

/** The same rows, telling the key of each one that is written. */
function noting(rows: Rows, { key: columns }: Table, note: (key: readonly Key[]) => void): Rows {
  return {
    ...rows,
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
