import { type AnyRow, idFunction, joined } from "../projections/row-functions.ts";
import type { Key } from "../projections/rows.ts";

/** The holder of a row, which may change while its key stays. */
export interface Holder {
  readonly row: AnyRow | undefined;
}

/** An index of holders by some columns of their rows. */
export class Index {
  readonly #idOf: (row: AnyRow) => Key | null;
  readonly #holders = new Map<Key | null, Holder[]>();

  constructor(columns: readonly string[]) {
    this.#idOf = idFunction(columns);
  }

  add(holder: Holder, row: AnyRow): void {
    this.#addTo(this.#idOf(row), holder);
  }

  /** Call on every change of a row. */
  move(holder: Holder, before: AnyRow | undefined, after: AnyRow | undefined): void {
    const from = before && this.#idOf(before);
    const to = after && this.#idOf(after);
    if (from === to) return;
    if (from !== undefined) this.#removeFrom(from, holder);
    if (to !== undefined) this.#addTo(to, holder);
  }

  /** The rows with one of these ids, unordered. */
  rows(ids: readonly (Key | null)[]): AnyRow[] {
    const found: AnyRow[] = [];
    for (const id of ids) {
      for (const { row } of this.#holders.get(id) ?? []) if (row) found.push(row);
    }
    return found;
  }

  #addTo(id: Key | null, holder: Holder): void {
    const holders = this.#holders.get(id);
    if (holders) holders.push(holder);
    else this.#holders.set(id, [holder]);
  }

  #removeFrom(id: Key | null, holder: Holder): void {
    const holders = this.#holders.get(id) ?? [];
    const at = holders.lastIndexOf(holder);
    if (holders.length > 1) holders.splice(at, 1);
    else this.#holders.delete(id);
  }
}

/**
 * The id of every combination of one value from each list; a value that is not a list counts as a
 * list of one.
 */
export function idsOf(values: readonly (Key | readonly Key[])[]): readonly (Key | null)[] {
  if (!values.some((value) => typeof value === "object")) return [joined(values as readonly Key[])];
  const [only] = values;
  // A repeated value counts once.
  if (values.length === 1 && typeof only === "object") return [...new Set(only)];
  let chosen: Key[][] = [[]];
  for (const value of values) {
    const choices = typeof value === "object" ? value : [value];
    chosen = chosen.flatMap((prefix) => choices.map((choice) => [...prefix, choice]));
  }
  return [...new Set(chosen.map(joined))];
}
