import { type AnyRow, idFunction } from "../projections/row-functions.ts";
import type { Key } from "../projections/rows.ts";

/**
 * A Bloom filter over the ids of rows in the database, by some columns' values: no false negatives,
 * few false positives. It saves queries for rows that the database does not have.
 */
export class StoredIds {
  readonly #idOf: (row: AnyRow) => Key | null;
  #bits: Uint8Array | undefined;

  constructor(columns: readonly string[]) {
    this.#idOf = idFunction(columns);
  }

  add(row: AnyRow): void {
    this.#bits ??= new Uint8Array(BITS / 8);
    const hash = hashOf(this.#idOf(row));
    for (const bit of [hash & MASK, second(hash)])
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  mayHave(id: Key | null): boolean {
    if (!this.#bits) return false;
    const hash = hashOf(id);
    return has(this.#bits, hash & MASK) && has(this.#bits, second(hash));
  }
}

/** At 500,000 rows, one id in twenty is a false positive. */
const BITS = 2 ** 22;
const MASK = BITS - 1;

function has(bits: Uint8Array, bit: number): boolean {
  return ((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

/** Mostly the upper half of the hash. */
function second(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - 22);
}

/** FNV-1a over the characters. */
function hashOf(id: Key | null): number {
  const text = typeof id === "string" ? id : String(id);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}
