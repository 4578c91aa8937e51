import type Database from "better-sqlite3";
import { type AnyRow, Index, joined } from "./memory-index.ts";
import { type Key, openRows, type Rows } from "./rows.ts";
import { createLookupSql, quote, type Table } from "./table.ts";

/**
 * Rows that are kept in memory while a rebuild changes them again and again, and are written once. At most `limit` of a
 * table stay there: those that were not touched for longest are written to the database, and read from it again when
 * they are wanted. Tables whose rows nobody asks for again keep none.
 *
 * What the database refuses (a type, a value that is not allowed) it refuses when a row is written, long after its
 * event; whoever needs to know the event does all of it again with `openRows`.
 */
export interface MemoryRows<T extends Table = Table> extends Rows<T> {
  /** Keeps memory within its limit. To be called between events, in a transaction. */
  evict(): void;
  /** Writes everything that the database does not have yet, and makes the lookups. In a transaction. */
  flush(): void;
}

/** How many rows nobody asks for are gathered before they are written. */
const UNUSED_LIMIT = 2_000;
const ROWS_AT_ONCE = 16;
const MEMORY_LIMIT = 10_000;

export function openMemoryRows<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  limit = MEMORY_LIMIT,
): MemoryRows<T> {
  // Rows of a table known only at run time, inside; the declaration says what they are, outside.
  return new RowsInMemory(database, table, as, limit) as unknown as MemoryRows<T>;
}

/** The same for a table that has rows and lookups already. */
export function openMemoryRowsOver<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  limit = MEMORY_LIMIT,
): MemoryRows<T> {
  const rows = new RowsInMemory(database, table, as, limit);
  rows.goOn();
  return rows as unknown as MemoryRows<T>;
}

interface Entry {
  readonly key: readonly Key[];
  /** Undefined for a row that was deleted and still stands in the database. */
  row: AnyRow | undefined;
  /** Whether the database has a row of this key. */
  stored: boolean;
  /** Whether the database does not have it as it is. */
  changed: boolean;
  /** The round between two evictions in which it was last asked for. */
  touched: number;
}

type AnyMatch = Readonly<Record<string, Key | readonly Key[]>>;

class RowsInMemory implements MemoryRows {
  readonly #database: Database.Database;
  readonly #table: Table;
  readonly #as: string;
  readonly #limit: number;
  readonly #stored: Rows;
  readonly #columns: readonly string[];
  readonly #empty: AnyRow;
  /** The one column of the key, where it is one. */
  readonly #onlyKey: string | undefined;
  readonly #inserts = new Map<number, Database.Statement>();
  readonly #entries = new Map<Key, Entry>();
  readonly #indexes = new Map<string, Index>();
  #round = 0;
  /** Whether anything was asked that rows of an earlier round might answer. */
  #looksBack = false;
  /** The highest first column of a key in an earlier round; a number beyond it belongs to this one. */
  #before: number = Number.NEGATIVE_INFINITY;
  /** True once the database has rows that are not in memory. */
  #evicted = false;
  /** Lookups are made when they are needed, at the latest in the end: filling a table is faster without. */
  #hasLookups = false;
  /** The highest first column of a key so far, where that is a number. */
  #latest: number = Number.NEGATIVE_INFINITY;
  /** The same of the keys in the database; a number beyond it is not there. */
  #highest: number = Number.NEGATIVE_INFINITY;

  constructor(database: Database.Database, table: Table, as: string, limit: number) {
    this.#database = database;
    this.#table = table;
    this.#as = as;
    this.#limit = limit;
    this.#stored = openRows(database, table, as);
    this.#columns = Object.keys(table.columns);
    this.#empty = Object.fromEntries(this.#columns.map((column) => [column, null]));
    this.#onlyKey = table.key.length === 1 ? table.key[0] : undefined;
  }

  /** Takes up what the database has. */
  goOn(): void {
    const [first = ""] = this.#table.key;
    const highest = this.#database.prepare<[], Key | null>(
      `SELECT max(${quote(first)}) FROM ${quote(this.#as)}`,
    );
    this.#highest = higher(this.#highest, [highest.pluck().get() ?? ""]);
    this.#evicted = true;
    this.#hasLookups = true;
  }

  get(...key: Key[]): AnyRow | undefined {
    return this.#find(key)?.row;
  }

  insert(row: AnyRow): void {
    const whole = { ...this.#empty };
    for (const column in row) whole[column] = row[column] ?? null;
    const key = this.#keyOf(whole);
    const id = idOf(key);
    const known = this.#entries.get(id);
    if (known?.row) throw new Error(`There is a row with the key ${key.join()} in ${this.#table.name}.`);
    if (known) this.#change(known, whole);
    else this.#add(id, key, whole, false);
  }

  update(key: Key | readonly Key[], change: Readonly<Record<string, Key | null | undefined>>): void {
    const entry = this.#find(typeof key === "object" ? key : [key]);
    if (!entry?.row) return;
    const changed = { ...entry.row };
    for (const column in change) {
      const value = change[column];
      if (value !== undefined) changed[column] = value;
    }
    this.#change(entry, changed);
  }

  delete(...key: Key[]): void {
    const entry = this.#find(key);
    if (!entry?.row) return;
    this.#change(entry, undefined);
    if (!entry.stored) this.#entries.delete(idOf(key));
  }

  where(match: AnyMatch, test?: (row: AnyRow) => boolean): AnyRow[] {
    const rows = this.#select(match, Number.POSITIVE_INFINITY);
    return test ? rows.filter(test) : rows;
  }

  first(limit: number, match: AnyMatch): AnyRow[] {
    return this.#select(match, limit);
  }

  evict(): void {
    this.#before = this.#latest;
    this.#round++;
    if (this.#entries.size > this.#limit) this.#forget(this.#oldestHalf());
    else if (!this.#looksBack && this.#entries.size > UNUSED_LIMIT) this.#forgetAll();
  }

  flush(): void {
    this.#forgetAll();
    this.#makeLookups();
  }

  #forgetAll(): void {
    this.#write([...this.#entries.values()]);
    this.#entries.clear();
    this.#indexes.clear();
    this.#evicted = true;
  }

  /** Leaves rows to the database, after it was given what it lacks of them. */
  #forget(entries: readonly Entry[]): void {
    this.#write(entries);
    this.#evicted = true;
    for (const entry of entries) {
      if (entry.row) for (const index of this.#indexes.values()) index.remove(entry, entry.row);
      this.#entries.delete(idOf(entry.key));
    }
  }

  #find(key: readonly Key[]): Entry | undefined {
    this.#looksBack ||= !isBeyond(key[0], this.#before);
    const id = idOf(key);
    const known = this.#entries.get(id);
    if (known) {
      known.touched = this.#round;
      return known;
    }
    const row = this.#evicted && !isBeyond(key[0], this.#highest) ? this.#stored.get(...key) : undefined;
    return row && this.#add(id, key, row as AnyRow, true);
  }

  #add(id: Key, key: readonly Key[], row: AnyRow, stored: boolean): Entry {
    const entry = { key, row, stored, changed: !stored, touched: this.#round };
    this.#latest = higher(this.#latest, key);
    this.#entries.set(id, entry);
    for (const index of this.#indexes.values()) index.add(entry, row);
    return entry;
  }

  #change(entry: Entry, row: AnyRow | undefined): void {
    for (const index of this.#indexes.values()) index.move(entry, entry.row, row);
    entry.row = row;
    entry.changed = true;
    entry.touched = this.#round;
  }

  #select(match: AnyMatch, limit: number): AnyRow[] {
    const first = match[this.#table.key[0] ?? ""];
    this.#looksBack ||= !isBeyond(first, this.#before);
    const found = this.#indexOn(Object.keys(match)).rows(Object.values(match), limit);
    if (!this.#evicted || isBeyond(first, this.#highest)) return found;
    this.#makeLookups();
    const stored = this.#stored.where(match) as AnyRow[];
    const elsewhere = stored.filter((row) => !this.#entries.has(idOf(this.#keyOf(row))));
    return [...found, ...elsewhere].sort((a, b) => this.#compare(a, b)).slice(0, limit);
  }

  #indexOn(columns: readonly string[]): Index {
    const [only = ""] = columns;
    const name = columns.length === 1 ? only : columns.join();
    let index = this.#indexes.get(name);
    if (!index) {
      index = new Index(columns, (a, b) => this.#compare(a, b));
      for (const entry of this.#entries.values()) if (entry.row) index.add(entry, entry.row);
      this.#indexes.set(name, index);
    }
    return index;
  }

  /** At least half of what is in memory, by the round in which it was last asked for. */
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

  /** Writes these in the order of their keys, which the database takes fastest. */
  #write(entries: readonly Entry[]): void {
    const changed = entries.filter((entry) => entry.changed);
    const fresh: AnyRow[] = [];
    for (const entry of inOrder(changed)) {
      const { key, row, stored } = entry;
      if (!row) this.#stored.delete(...key);
      else if (stored) this.#stored.update(key, row as never);
      else fresh.push(row);
      entry.stored = row !== undefined;
      entry.changed = false;
      this.#highest = higher(this.#highest, key);
    }
    this.#insertAll(fresh);
  }

  /** Several rows with each statement, which saves a third of the time. */
  #insertAll(rows: readonly AnyRow[]): void {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE);
      const values: (Key | null)[] = [];
      for (const row of some) for (const column of this.#columns) values.push(row[column] ?? null);
      this.#insertStatement(some.length).run(values);
    }
  }

  #insertStatement(count: number): Database.Statement {
    let statement = this.#inserts.get(count);
    if (!statement) {
      const row = `(${this.#columns.map(() => "?").join(", ")})`;
      const names = this.#columns.map(quote).join(", ");
      statement = this.#database.prepare(
        `INSERT INTO ${quote(this.#as)} (${names}) VALUES ${Array.from({ length: count }, () => row).join(", ")}`,
      );
      this.#inserts.set(count, statement);
    }
    return statement;
  }

  #makeLookups(): void {
    if (this.#hasLookups) return;
    this.#hasLookups = true;
    for (const sql of createLookupSql(this.#table, this.#as)) this.#database.exec(sql);
  }

  #keyOf(row: AnyRow): Key[] {
    if (this.#onlyKey !== undefined) return [row[this.#onlyKey] ?? ""];
    return this.#table.key.map((column) => row[column] ?? "");
  }

  #compare(a: AnyRow, b: AnyRow): number {
    return compareKeys(this.#keyOf(a), this.#keyOf(b));
  }
}

function isBeyond(value: Key | readonly Key[] | undefined, highest: number): boolean {
  return typeof value === "number" && value > highest;
}

function higher(highest: number, [first]: readonly Key[]): number {
  return typeof first === "number" && first > highest ? first : highest;
}

/** What a row is found by in memory. */
function idOf(key: readonly Key[]): Key {
  return joined(key) ?? "";
}

/** Most tables get their rows in the order of their keys, and need no sorting. */
function inOrder(entries: Entry[]): Entry[] {
  const isOrdered = entries.every((entry, index) => {
    const before = entries[index - 1];
    return before === undefined || compareKeys(before.key, entry.key) < 0;
  });
  return isOrdered ? entries : entries.sort((a, b) => compareKeys(a.key, b.key));
}

/** As SQLite orders them: numbers by value, text by its UTF-8 bytes. */
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

/** UTF-16 has another order than UTF-8 only where a surrogate pair meets a character from U+E000 to U+FFFF. */
function compareTexts(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1);
}
