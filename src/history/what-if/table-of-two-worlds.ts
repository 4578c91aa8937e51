import type Database from "better-sqlite3";
import type { boardTables } from "../../projections/board/tables.ts";
import { type AnyRow, idOfKey } from "../../projections/row-functions.ts";
import type { Key } from "../../projections/rows.ts";
import { createTableSql, type Table } from "../../projections/table.ts";
import { compareKeys, openMemoryRows } from "../../read-model/memory-rows.ts";

export type TableName = keyof typeof boardTables;

/** A row written by an event. */
export interface Written {
  readonly table: { readonly name: TableName };
  readonly key: readonly Key[];
}

/** An event's effects in both worlds; a row may occur more than once. */
export interface Turn {
  /** Whether the recorded world read or wrote a row that differs in the other world. */
  metWhatDiffers: boolean;
  /** The rows written in the recorded world, with their earlier values. */
  readonly was: (WrittenHere & { readonly before: AnyRow | undefined })[];
  /** The rows written only in the other world. */
  readonly wouldBe: WrittenHere[];
}

interface WrittenHere extends Written {
  readonly table: TableOfTwoWorlds;
}

/**
 * The rows of a table in the recorded world, plus the other world's differing rows. A key that is
 * not `apart` has the same row, or none, in both; for one that is, the other world's row is in
 * `#own`, or missing.
 */
export class TableOfTwoWorlds {
  readonly name: TableName;
  /** The recorded world's rows. */
  readonly was: AnyRows;
  /** The same for its reducers: their reads and writes are recorded. */
  readonly noted: AnyRows;
  /** The other world's rows. */
  readonly wouldBe: AnyRows;
  readonly #own: AnyRows;
  readonly #apart = new Set<Key>();
  readonly #key: readonly string[];
  readonly #turn: Turn;

  /** @param limit how many rows of each world stay in memory */
  constructor(database: Database.Database, name: TableName, table: Table, turn: Turn, limit: number) {
    const open = (as: string) => {
      database.exec(createTableSql(table, as));
      // The table is known only at run time.
      return openMemoryRows(database, table, as, limit) as unknown as AnyRows;
    };
    this.name = name;
    this.was = open(table.name);
    this.#own = open(`${table.name}__would_be`);
    this.#key = table.key;
    this.#turn = turn;
    this.noted = this.#noted();
    this.wouldBe = this.#ofOtherWorld();
  }

  /** Saves a row for the other world before the recorded world overwrites it. */
  keep({ key, before }: Pick<Turn["was"][number], "key" | "before">): void {
    const id = idOfKey(key);
    if (this.#apart.has(id)) return;
    this.#apart.add(id);
    if (before) this.#own.insert(before);
  }

  /** Updates whether a key's row differs. */
  settle({ key }: Pick<Written, "key">): boolean {
    if (!this.#apart.has(idOfKey(key))) return false;
    const [was, own] = [this.was.get(...key), this.#own.get(...key)];
    const differs = was && own ? !isEqual(was, own) : was !== own;
    if (!differs) this.share({ key });
    return differs;
  }

  /** The other world uses the recorded world's row again. */
  share({ key }: Pick<Written, "key">): void {
    this.#own.delete(...key);
    this.#apart.delete(idOfKey(key));
  }

  /** Limits memory use, as a rebuild does. In a transaction. */
  evict(): void {
    this.was.evict();
    this.#own.evict();
  }

  #noted(): AnyRows {
    const { was } = this;
    const turn = this.#turn;
    const meet = (key: readonly Key[]) => {
      if (this.#apart.size > 0 && this.#apart.has(idOfKey(key))) turn.metWhatDiffers = true;
    };
    const write = (key: readonly Key[], before: AnyRow | undefined) => {
      meet(key);
      turn.was.push({ table: this, key, before });
    };
    const meetAll = (match: AnyMatch, rows: readonly AnyRow[]) => {
      if (this.#apart.size === 0 || turn.metWhatDiffers) return;
      const differs = rows.some((row) => this.#isApart(row)) || this.#own.first(1, match).length > 0;
      if (differs) turn.metWhatDiffers = true;
    };
    return {
      get(...key) {
        meet(key);
        return was.get(...key);
      },
      where(match, test) {
        const rows = was.where(match);
        meetAll(match, rows);
        return test ? rows.filter(test) : rows;
      },
      first(limit, match) {
        const rows = was.first(limit, match);
        meetAll(match, rows);
        return rows;
      },
      scan(test) {
        return this.where({}, test);
      },
      insert: (row) => {
        write(this.#keyOf(row), undefined);
        was.insert(row);
      },
      update(key, change) {
        const whole = typeof key === "object" ? key : [key];
        const before = was.get(...whole);
        meet(whole);
        if (!before) return;
        write(whole, before);
        was.update(whole, change);
      },
      delete(...key) {
        write(key, was.get(...key));
        was.delete(...key);
      },
      evict: () => was.evict(),
    };
  }

  #ofOtherWorld(): AnyRows {
    const [was, own, apart] = [this.was, this.#own, this.#apart];
    const write = (key: readonly Key[]) => this.#turn.wouldBe.push({ table: this, key });
    const get = (...key: Key[]) => (apart.has(idOfKey(key)) ? own : was).get(...key);
    const where: AnyRows["where"] = (match, test) => {
      const shared = was.where(match).filter((row) => !this.#isApart(row));
      const all = [...shared, ...own.where(match)];
      all.sort((a, b) => compareKeys(this.#keyOf(a), this.#keyOf(b)));
      return test ? all.filter(test) : all;
    };
    return {
      get,
      where: (match, test) => (apart.size === 0 ? was.where(match, test) : where(match, test)),
      first: (limit, match) => (apart.size === 0 ? was.first(limit, match) : where(match).slice(0, limit)),
      scan: (test) => where({}, test),
      insert: (row) => {
        const key = this.#keyOf(row);
        write(key);
        apart.add(idOfKey(key));
        own.insert(row);
      },
      update: (key, change) => {
        const whole = typeof key === "object" ? key : [key];
        const before = get(...whole);
        if (!before) return;
        write(whole);
        this.keep({ key: whole, before });
        own.update(whole, change);
      },
      delete(...key) {
        if (!get(...key)) return;
        write(key);
        apart.add(idOfKey(key));
        own.delete(...key);
      },
      evict: () => own.evict(),
    };
  }

  #isApart(row: AnyRow): boolean {
    return this.#apart.has(idOfKey(this.#keyOf(row)));
  }

  #keyOf(row: AnyRow): Key[] {
    return this.#key.map((column) => row[column] ?? "");
  }
}

/** Rows of a table that is known only at run time. */
export interface AnyRows {
  get(...key: Key[]): AnyRow | undefined;
  where(match: AnyMatch, test?: (row: AnyRow) => boolean): AnyRow[];
  first(limit: number, match: AnyMatch): AnyRow[];
  scan(test?: (row: AnyRow) => boolean): AnyRow[];
  insert(row: AnyRow): void;
  update(key: Key | readonly Key[], change: Readonly<Record<string, Key | null | undefined>>): void;
  delete(...key: Key[]): void;
  evict(): void;
}

type AnyMatch = Readonly<Record<string, Key | readonly Key[]>>;

function isEqual(one: AnyRow, other: AnyRow): boolean {
  for (const column in one) if (one[column] !== other[column]) return false;
  return true;
}
