import type Database from "better-sqlite3";
import { type AnyRow, idOfKey, type RowFunctions, rowFunctions } from "../projections/row-functions.ts";
import { type Key, openRows, type Rows } from "../projections/rows.ts";
import { createLookupSql, quote, type Table } from "../projections/table.ts";
import { Index, idsOf } from "./memory-index.ts";
import { StoredIds } from "./stored-ids.ts";

/**
 * Rows that are kept in memory while they change often, and written once. At most `limit` of a
 * table stay in memory: the least recently used ones are written to the database, and read back on
 * demand. Tables that reducers never read keep none.
 *
 * A row that violates its table's constraints is refused at once. A duplicate of a key that is no
 * longer in memory is refused when it is written, long after its event.
 */
export interface MemoryRows<T extends Table = Table> extends Rows<T> {
  /** Evicts rows over the limit. Call it between events, in a transaction. */
  evict(): void;
  /** Writes all remaining rows and makes the lookups, in a transaction. */
  flush(): void;
}

/** How many write-only rows are buffered. */
const UNUSED_LIMIT = 2_000;
const ROWS_AT_ONCE = 16;
const MEMORY_LIMIT = 10_000;

/** @param as the table's name in the database; it must have no rows and no lookups yet */
export function openMemoryRows<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  limit = MEMORY_LIMIT,
): MemoryRows<T> {
  // The table is known only at run time; its declaration types the rows for callers.
  return new RowsInMemory(database, table, as, limit) as unknown as MemoryRows<T>;
}

/** Set if an event has inserted a row with a duplicate key. */
export class RowRefused extends Error {}

interface Entry {
  /** Undefined for a deleted row. */
  row: AnyRow | undefined;
  /** The key of a deleted row that is still in the database. */
  deleted: readonly Key[] | undefined;
  /** Whether the database has a row with this key. */
  stored: boolean;
  /** Whether the database has an older version of it. */
  changed: boolean;
  /** The round (between two evictions) of its last use. */
  touched: number;
}

type AnyMatch = Readonly<Record<string, Key | readonly Key[]>>;

class RowsInMemory implements MemoryRows {
  readonly #database: Database.Database;
  readonly #table: Table;
  readonly #as: string;
  readonly #limit: number;
  readonly #stored: Rows;
  readonly #functions: RowFunctions;
  readonly #inserts = new Map<string, Database.Statement>();
  /** Rows inserted since the last read: most tables are only written. */
  #unasked: AnyRow[] = [];
  readonly #entries = new Map<Key, Entry>();
  readonly #indexes = new Map<string, Index>();
  /** The rows in the database: by key, and by the columns of each index. */
  readonly #storedIds = new Map<string, StoredIds>();
  #round = 0;
  /** Whether a question was asked whose answer may include rows of an earlier round. */
  #looksBack = false;
  /** The highest first key column in an earlier round; a higher number belongs to this round. */
  #before: number = Number.NEGATIVE_INFINITY;
  /** Whether the database has any rows. */
  #hasStored = false;
  /**
   * Lookups are made on demand, at the latest at the end: filling a table without them is faster.
   */
  #hasLookups = false;
  /** The highest first key column so far, if it is a number. */
  #latest: number = Number.NEGATIVE_INFINITY;

  constructor(database: Database.Database, table: Table, as: string, limit: number) {
    this.#database = database;
    this.#table = table;
    this.#as = as;
    this.#limit = limit;
    this.#functions = rowFunctions(table);
    this.#stored = openRows(database, table, as, this.#functions.fromValues);
  }

  get(...key: Key[]): AnyRow | undefined {
    return this.#find(key)?.row;
  }

  insert(row: AnyRow): void {
    const whole = this.#functions.complete(row);
    this.#functions.check(whole);
    this.#unasked.push(whole);
  }

  update(key: Key | readonly Key[], change: Readonly<Record<string, Key | null | undefined>>): void {
    const entry = this.#find(typeof key === "object" ? key : [key]);
    if (!entry?.row) return;
    const changed = this.#functions.copy(entry.row);
    for (const column in change) {
      const value = change[column];
      if (value !== undefined) changed[column] = value;
    }
    this.#functions.check(changed);
    this.#change(entry, changed);
  }

  delete(...key: Key[]): void {
    const entry = this.#find(key);
    if (!entry?.row) return;
    this.#change(entry, undefined);
    if (entry.stored) entry.deleted = key;
    else this.#entries.delete(idOfKey(key));
  }

  where(match: AnyMatch, test?: (row: AnyRow) => boolean): AnyRow[] {
    const rows = this.#select(match);
    return test ? rows.filter(test) : rows;
  }

  first(limit: number, match: AnyMatch): AnyRow[] {
    return this.#select(match).slice(0, limit);
  }

  scan(test?: (row: AnyRow) => boolean): AnyRow[] {
    return this.where({}, test);
  }

  evict(): void {
    if (this.#looksBack) this.#takeUp();
    for (const row of this.#unasked) this.#see(row);
    this.#before = this.#latest;
    this.#round++;
    if (this.#entries.size > this.#limit) this.#forget(this.#oldestHalf());
    else if (!this.#looksBack && this.#entries.size + this.#unasked.length > UNUSED_LIMIT) this.#forgetAll();
  }

  flush(): void {
    this.#forgetAll();
    this.#makeLookups();
  }

  #forgetAll(): void {
    this.#forget([...this.#entries.values()]);
    this.#store(
      "INSERT",
      inOrder(this.#unasked, (row) => this.#functions.keyOf(row)),
    );
    this.#unasked = [];
  }

  /** Drops rows from memory after writing their latest versions to the database. */
  #forget(entries: readonly Entry[]): void {
    this.#write(entries.filter(({ changed }) => changed));
    this.#indexes.clear();
    for (const entry of entries) this.#entries.delete(idOfKey(this.#keyOf(entry)));
  }

  #find(key: readonly Key[]): Entry | undefined {
    this.#looksBack ||= !isBeyond(key[0], this.#before);
    if (this.#unasked.length > 0) this.#takeUp();
    const id = idOfKey(key);
    const known = this.#entries.get(id);
    if (known) {
      known.touched = this.#round;
      return known;
    }
    if (!this.#hasStored || !this.#storedBy(this.#table.key).mayHave(id)) return undefined;
    const row = this.#stored.get(...key) as AnyRow | undefined;
    return row && this.#add(id, row, true);
  }

  /** Indexes the newly inserted rows. */
  #takeUp(): void {
    for (const row of this.#unasked) {
      const key = this.#functions.keyOf(row);
      const id = idOfKey(key);
      const known = this.#entries.get(id);
      if (known?.row) throw new RowRefused(`${this.#table.name} has two rows with the key ${key.join()}.`);
      this.#see(row);
      if (known) this.#change(known, row);
      else this.#add(id, row, false);
    }
    this.#unasked = [];
  }

  #see(row: AnyRow): void {
    const first = row[this.#table.key[0] ?? ""];
    if (isBeyond(first, this.#latest)) this.#latest = first;
  }

  #add(id: Key, row: AnyRow, stored: boolean): Entry {
    const entry = { row, deleted: undefined, stored, changed: !stored, touched: this.#round };
    this.#entries.set(id, entry);
    for (const index of this.#indexes.values()) index.add(entry, row);
    return entry;
  }

  #change(entry: Entry, row: AnyRow | undefined): void {
    for (const index of this.#indexes.values()) index.move(entry, entry.row, row);
    entry.row = row;
    entry.deleted = undefined;
    entry.changed = true;
    entry.touched = this.#round;
  }

  #select(match: AnyMatch): AnyRow[] {
    this.#looksBack ||= !isBeyond(match[this.#table.key[0] ?? ""], this.#before);
    if (this.#unasked.length > 0) this.#takeUp();
    const columns = Object.keys(match);
    const ids = idsOf(Object.values(match));
    const found = this.#indexOn(columns).rows(ids);
    if (this.#hasStored) {
      const stored = this.#storedBy(columns);
      const left = ids.filter((id) => stored.mayHave(id));
      // One at a time: a function call takes at most some hundred thousand arguments.
      if (left.length > 0)
        for (const row of this.#selectStored(columns, match, left as Key[])) found.push(row);
    }
    return found.length > 1 ? inOrder(found, (row) => this.#functions.keyOf(row)) : found;
  }

  /** @param ids of matching rows that the database may have */
  #selectStored([column = "", ...more]: readonly string[], match: AnyMatch, ids: readonly Key[]): AnyRow[] {
    this.#makeLookups();
    // Drops the ids that the database does not have.
    const isList = more.length === 0 && typeof match[column] === "object";
    const rows = this.#stored.where(isList ? { [column]: ids } : match) as AnyRow[];
    return rows.filter((row) => !this.#entries.has(idOfKey(this.#functions.keyOf(row))));
  }

  #storedBy(columns: readonly string[]): StoredIds {
    const name = nameOf(columns);
    let stored = this.#storedIds.get(name);
    if (!stored) {
      stored = new StoredIds(columns);
      const names = columns.map(quote).join() || "0";
      const rows = this.#database.prepare<[], AnyRow>(`SELECT ${names} FROM ${quote(this.#as)}`);
      for (const row of rows.iterate()) stored.add(row);
      this.#storedIds.set(name, stored);
    }
    return stored;
  }

  #indexOn(columns: readonly string[]): Index {
    const name = nameOf(columns);
    let index = this.#indexes.get(name);
    if (!index) {
      index = new Index(columns);
      for (const entry of this.#entries.values()) if (entry.row) index.add(entry, entry.row);
      this.#indexes.set(name, index);
    }
    return index;
  }

  /** At least half of the rows in memory, the least recently used first. */
  #oldestHalf(): Entry[] {
    const rounds = new Map<number, number>();
    for (const { touched } of this.#entries.values()) rounds.set(touched, (rounds.get(touched) ?? 0) + 1);
    let left = this.#entries.size;
    let last = 0;
    for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
      if (left <= this.#limit / 2) break;
      left -= rounds.get(round) ?? 0;
      last = round;
    }
    return [...this.#entries.values()].filter(({ touched }) => touched <= last);
  }

  /** Writes rows in key order, which is fastest for the database. */
  #write(changed: Entry[]): void {
    const fresh: AnyRow[] = [];
    const again: AnyRow[] = [];
    for (const entry of inOrder(changed, (one) => this.#keyOf(one))) {
      if (!entry.row) this.#stored.delete(...this.#keyOf(entry));
      else if (entry.stored) again.push(entry.row);
      else fresh.push(entry.row);
      entry.stored = entry.row !== undefined;
      entry.changed = false;
    }
    this.#store("INSERT", fresh);
    this.#store("REPLACE", again);
  }

  /** Several rows per statement, which saves a third of the time. */
  #store(verb: "INSERT" | "REPLACE", rows: readonly AnyRow[]): void {
    this.#hasStored ||= rows.length > 0;
    for (const stored of this.#storedIds.values()) for (const row of rows) stored.add(row);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const end = Math.min(start + ROWS_AT_ONCE, rows.length);
      const values: (Key | null)[] = [];
      for (const row of rows.slice(start, end)) this.#functions.addValues(row, values);
      this.#statement(verb, end - start).run(...values);
    }
  }

  #statement(verb: "INSERT" | "REPLACE", count: number): Database.Statement {
    const known = `${verb} ${count}`;
    let statement = this.#inserts.get(known);
    if (!statement) {
      const names = Object.keys(this.#table.columns);
      const row = `(${names.map(() => "?").join(", ")})`;
      statement = this.#database.prepare(
        `${verb} INTO ${quote(this.#as)} (${names.map(quote).join(", ")}) VALUES ${Array.from({ length: count }, () => row).join(", ")}`,
      );
      this.#inserts.set(known, statement);
    }
    return statement;
  }

  #makeLookups(): void {
    if (this.#hasLookups) return;
    this.#hasLookups = true;
    for (const sql of createLookupSql(this.#table, this.#as)) this.#database.exec(sql);
  }

  #keyOf({ row, deleted }: Entry): readonly Key[] {
    return row ? this.#functions.keyOf(row) : (deleted ?? []);
  }
}

function isBeyond(value: unknown, highest: number): value is number {
  return typeof value === "number" && value > highest;
}

function nameOf(columns: readonly string[]): string {
  const [only = ""] = columns;
  return columns.length === 1 ? only : columns.join();
}

/** In key order; sorts only if needed, since most rows arrive in order. */
function inOrder<T>(all: T[], keyOf: (one: T) => readonly Key[]): T[] {
  const keyed = all.map((one) => ({ one, key: keyOf(one) }));
  const isSorted = keyed.every(
    ({ key }, index) => index === 0 || compareKeys(keyed[index - 1]?.key ?? [], key) <= 0,
  );
  return isSorted ? all : keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ one }) => one);
}

/** The order of SQLite: numbers by value, text by UTF-8 bytes. */
export function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  for (let index = 0; index < a.length; index++) {
    const left = a[index] ?? "";
    const right = b[index] ?? "";
    if (left === right) continue;
    if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
    return left < right ? -1 : 1;
  }
  return 0;
}

/**
 * UTF-16 order differs from UTF-8 order only if a surrogate pair meets a character from U+E000 to
 * U+FFFF.
 */
function compareTexts(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1);
}
