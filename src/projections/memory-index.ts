import type { Key } from "./rows.ts";

/** A row of a table that is known only at run time. */
export type AnyRow = Record<string, Key | null>;

/** What holds a row, which may change while its key stays. */
export interface Holder {
  readonly row: AnyRow | undefined;
}

/** Holders of rows by the values of some of the rows' columns. */
export class Index {
  readonly #columns: readonly string[];
  readonly #compare: (a: AnyRow, b: AnyRow) => number;
  readonly #buckets = new Map<Key | null, Bucket>();

  constructor(columns: readonly string[], compare: (a: AnyRow, b: AnyRow) => number) {
    this.#columns = columns;
    this.#compare = compare;
  }

  add(holder: Holder, row: AnyRow): void {
    const value = this.#valueOf(row);
    const bucket = this.#buckets.get(value);
    if (bucket) {
      bucket.sorted &&= this.#compare(bucket.last, row) < 0;
      bucket.last = row;
      bucket.holders.add(holder);
    } else {
      this.#buckets.set(value, { holders: new Set([holder]), last: row, sorted: true });
    }
  }

  remove(holder: Holder, row: AnyRow): void {
    const value = this.#valueOf(row);
    const bucket = this.#buckets.get(value);
    bucket?.holders.delete(holder);
    if (bucket?.holders.size === 0) this.#buckets.delete(value);
  }

  /** To be told of every change of a row. */
  move(holder: Holder, before: AnyRow | undefined, after: AnyRow | undefined): void {
    if (before && after && this.#isEqual(before, after)) return;
    if (before) this.remove(holder, before);
    if (after) this.add(holder, after);
  }

  /** The rows that have these values, a list standing for any of its values; `limit` at most, in the order of keys. */
  rows(values: readonly (Key | readonly Key[])[], limit: number): AnyRow[] {
    if (!values.some((value) => typeof value === "object")) {
      const bucket = this.#buckets.get(joined(values as readonly Key[]));
      return bucket ? this.#sorted(bucket, limit) : [];
    }
    const found = combinations(values).flatMap((chosen) => this.rows(chosen, limit));
    return found.sort(this.#compare).slice(0, limit);
  }

  #sorted(bucket: Bucket, limit: number): AnyRow[] {
    const rows: AnyRow[] = [];
    for (const { row } of bucket.holders) {
      if (bucket.sorted && rows.length === limit) break;
      if (row) rows.push(row);
    }
    return bucket.sorted ? rows : rows.sort(this.#compare).slice(0, limit);
  }

  #isEqual(before: AnyRow, after: AnyRow): boolean {
    for (const column of this.#columns) if (before[column] !== after[column]) return false;
    return true;
  }

  #valueOf(row: AnyRow): Key | null {
    return joined(this.#columns.map((column) => row[column] ?? null));
  }
}

/** Holders in the order in which they came, which is that of their keys if `sorted`. */
interface Bucket {
  readonly holders: Set<Holder>;
  /** The row that came last; it may have gone again. */
  last: AnyRow;
  sorted: boolean;
}

/** One value that stands for several: different for different ones, as each text comes behind its length. */
export function joined(values: readonly (Key | null)[]): Key | null {
  if (values.length === 1) return values[0] ?? null;
  let all = "";
  for (const value of values) all += typeof value === "string" ? `${value.length}"${value}` : `${value};`;
  return all;
}

/** Every choice of one value from each list. */
function combinations(values: readonly (Key | readonly Key[])[]): Key[][] {
  let chosen: Key[][] = [[]];
  for (const value of values) {
    // A value that is named twice is one choice.
    const choices = typeof value === "object" ? [...new Set(value)] : [value];
    chosen = chosen.flatMap((prefix) => choices.map((choice) => [...prefix, choice]));
  }
  return chosen;
}
