import type Database from "better-sqlite3";
import { Index, idsOf } from "./memory-index.ts";
import { type AnyRow, idOfKey, type RowFunctions, rowFunctions } from "./row-functions.ts";
import { type Key, openRows, type Rows } from "./rows.ts";
import { StoredIds } from "./stored-ids.ts";
import { createLookupSql, quote, type Table } from "./table.ts";

/**
 * Rows that are kept in memory while they change again and again, and are written once. At most `limit` of a table stay
 * there: those that were not touched for longest are written to the database, and read from it again when they are
 * wanted. Tables whose rows nobody asks for again keep none.
 *
 * A row that the table does not allow is refused at once. One whose key another row has that is not in memory any more is
 * refused when it is written, long after its event.
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

/** @param as the name of the table in the database, which has no rows and no lookups yet */
export function openMemoryRows<T extends Table>(
  database: Database.Database,
  table: T,
  as: string,
  limit = MEMORY_LIMIT,
): MemoryRows<T> {
  // Rows of a table known only at run time, inside; the declaration says what they are, outside.
  return new RowsInMemory(database, table, as, limit) as unknown as MemoryRows<T>;
}

/** Some event before wrote a row whose key another one had. */
export class RowRefused extends Error {}

interface Entry {
  /** Undefined for one that was deleted. */
  row: AnyRow | undefined;
  /** The key of a deleted row that still stands in the database. */
  deleted: readonly Key[] | undefined;
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
  readonly #functions: RowFunctions;
  readonly #inserts = new Map<string, Database.Statement>();
  /** Rows that came since somebody asked for any: of most tables they are only written. */
  #unasked: AnyRow[] = [];
  readonly #entries = new Map<Key, Entry>();
  readonly #indexes = new Map<string, Index>();
  /** The rows in the database: by their keys, and by the columns of each index. */
  readonly #storedIds = new Map<string, StoredIds>();
  #round = 0;
  /** Whether anything was asked that rows of an earlier round might answer. */
  #looksBack = false;
  /** The highest first column of a key in an earlier round; a number beyond it belongs to this one. */
  #before: number = Number.NEGATIVE_INFINITY;
  /** Whether the database has any rows. */
  #hasStored = false;
  /** Lookups are made when they are needed, at the latest in the end: filling a table is faster without. */
  #hasLookups = false;
  /** The highest first column of a key so far, where that is a number. */
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

  /** Leaves rows to the database, after it was given what it lacks of them. */
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

  /** Makes rows that came findable. */
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
      // One by one: a call takes some hundred thousand arguments at most.
      if (left.length > 0)
        for (const row of this.#selectStored(columns, match, left as Key[])) found.push(row);
    }
    return found.length > 1 ? inOrder(found, (row) => this.#functions.keyOf(row)) : found;
  }

  /** @param ids that the database may have of those that match */
  #selectStored([column = "", ...more]: readonly string[], match: AnyMatch, ids: readonly Key[]): AnyRow[] {
    this.#makeLookups();
    // A long list is shorter by those that it does not have.
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

  /** Several rows with each statement, which saves a third of the time. */
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

/** In the order of keys, sorted only where that is needed: most rows come in it. */
function inOrder<T>(all: T[], keyOf: (one: T) => readonly Key[]): T[] {
  const keyed = all.map((one) => ({ one, key: keyOf(one) }));
  const isSorted = keyed.every(
    ({ key }, index) => index === 0 || compareKeys(keyed[index - 1]?.key ?? [], key) <= 0,
  );
  return isSorted ? all : keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ one }) => one);
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
