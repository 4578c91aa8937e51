import type Database from "better-sqlite3";
import { type AnyRow, Index } from "./memory-index.ts";
import { type Key, openRows, type Rows } from "./rows.ts";
import { createLookupSql, type Table } from "./table.ts";

/**
 * Rows that are kept in memory while a rebuild changes them again and again, and are written once. At most `limit` of a
 * table stay there: those that were not touched for longest are written to the database, and read from it again when
 * they are wanted.
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

export const MEMORY_LIMIT = 50_000;

export function openMemoryRows<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  limit = MEMORY_LIMIT,
): MemoryRows<T> {
  // Rows of a table known only at run time, inside; the declaration says what they are, outside.
  return new RowsInMemory(database, table, as, limit) as unknown as MemoryRows<T>;
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
  readonly #empty: AnyRow;
  readonly #entries = new Map<Key, Entry>();
  readonly #indexes = new Map<string, Index>();
  #round = 0;
  /** True once the database has rows that are not in memory, and the lookups by which they are found. */
  #evicted = false;
  /** The highest first column of a key in the database; a number beyond it is not there. */
  #highest: number = Number.NEGATIVE_INFINITY;

  constructor(database: Database.Database, table: Table, as: string, limit: number) {
    this.#database = database;
    this.#table = table;
    this.#as = as;
    this.#limit = limit;
    this.#stored = openRows(database, table, as);
    this.#empty = Object.fromEntries(Object.keys(table.columns).map((column) => [column, null]));
  }

  get(...key: Key[]): AnyRow | undefined {
    return this.#find(key)?.row;
  }

  insert(row: AnyRow): void {
    const whole = { ...this.#empty, ...row };
    const key = this.#table.key.map((column) => whole[column] ?? "");
    const known = this.#entries.get(joined(key));
    if (known?.row) throw new Error(`There is a row with the key ${key.join()} in ${this.#table.name}.`);
    if (known) this.#change(known, whole);
    else this.#add(key, whole, false);
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
    if (!entry.stored) this.#entries.delete(joined(key));
  }

  where(match: AnyMatch, test?: (row: AnyRow) => boolean): AnyRow[] {
    const rows = this.#select(match, Number.POSITIVE_INFINITY);
    return test ? rows.filter(test) : rows;
  }

  first(limit: number, match: AnyMatch): AnyRow[] {
    return this.#select(match, limit);
  }

  evict(): void {
    this.#round++;
    if (this.#entries.size <= this.#limit) return;
    const oldest = this.#oldestHalf();
    this.#write(oldest);
    for (const entry of oldest) {
      if (entry.row) for (const index of this.#indexes.values()) index.remove(entry, entry.row);
      this.#entries.delete(joined(entry.key));
    }
    if (!this.#evicted) this.#makeLookups();
    this.#evicted = true;
  }

  flush(): void {
    this.#write([...this.#entries.values()]);
    if (!this.#evicted) this.#makeLookups();
    this.#entries.clear();
    this.#indexes.clear();
    this.#evicted = true;
  }

  #find(key: readonly Key[]): Entry | undefined {
    const known = this.#entries.get(joined(key));
    if (known) {
      known.touched = this.#round;
      return known;
    }
    const row = this.#mayBeStored(key[0]) ? this.#stored.get(...key) : undefined;
    return row && this.#add(key, row as AnyRow, true);
  }

  #add(key: readonly Key[], row: AnyRow, stored: boolean): Entry {
    const entry = { key, row, stored, changed: !stored, touched: this.#round };
    this.#entries.set(joined(key), entry);
    for (const index of this.#indexes.values()) index.add(entry, row);
    return entry;
  }

  #change(entry: Entry, row: AnyRow | undefined): void {
    for (const index of this.#indexes.values()) index.move(entry, entry.row, row);
    entry.row = row;
    entry.changed = true;
    entry.touched = this.#round;
  }

  #mayBeStored(first: Key | readonly Key[] | undefined): boolean {
    return this.#evicted && !(typeof first === "number" && first > this.#highest);
  }

  #select(match: AnyMatch, limit: number): AnyRow[] {
    const found = this.#indexOn(Object.keys(match)).rows(Object.values(match), limit);
    if (!this.#mayBeStored(match[this.#table.key[0] ?? ""])) return found;
    const stored = this.#stored.where(match) as AnyRow[];
    const elsewhere = stored.filter((row) => !this.#entries.has(joined(this.#keyOf(row))));
    return [...found, ...elsewhere].sort((a, b) => this.#compare(a, b)).slice(0, limit);
  }

  #indexOn(columns: readonly string[]): Index {
    const name = columns.join();
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
    for (const entry of changed.sort((a, b) => compareKeys(a.key, b.key))) {
      const { key, row, stored } = entry;
      if (!row) this.#stored.delete(...key);
      else if (stored) this.#stored.update(key, row as never);
      else this.#stored.insert(row as never);
      entry.stored = row !== undefined;
      entry.changed = false;
      const [first = ""] = key;
      if (typeof first === "number" && first > this.#highest) this.#highest = first;
    }
  }

  #makeLookups(): void {
    for (const sql of createLookupSql(this.#table, this.#as)) this.#database.exec(sql);
  }

  #keyOf(row: AnyRow): Key[] {
    return this.#table.key.map((column) => row[column] ?? "");
  }

  #compare(a: AnyRow, b: AnyRow): number {
    return compareKeys(this.#keyOf(a), this.#keyOf(b));
  }
}

function joined(key: readonly Key[]): Key {
  return key.length === 1 ? (key[0] ?? "") : JSON.stringify(key);
}

/** As SQLite orders them: numbers by value, text by its UTF-8 bytes. */
function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  for (let index = 0; index < a.length; index++) {
    const [left = "", right = ""] = [a[index], b[index]];
    if (left === right) continue;
    if (typeof left === "string" && typeof right === "string")
      return Buffer.from(left).compare(Buffer.from(right));
    return left < right ? -1 : 1;
  }
  return 0;
}
