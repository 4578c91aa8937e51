import type { AnyRow } from "../../projections/row-functions.ts";
import type { AnyRows } from "./table-of-two-worlds.ts";

/**
 * Task counts by status in two worlds. One differing task makes the counts differ for good, and
 * then no event would count as equal in both worlds. So counts are kept apart from the other
 * tables: for an event that is equal in both, only its changes count.
 */
export class CountsOfTwoWorlds {
  readonly was: AnyRows;
  readonly wouldBe: AnyRows;
  readonly #wouldBe: Counts = new Map();
  /** The event's changes in the recorded world. */
  readonly #changes: { readonly status: string; readonly by: number }[] = [];

  constructor() {
    this.was = rowsOf(new Map(), (status, by) => this.#changes.push({ status, by }));
    this.wouldBe = rowsOf(this.#wouldBe, () => {});
  }

  /** Call before each event. */
  begin(): void {
    this.#changes.length = 0;
  }

  /** Call for an event that is equal in both worlds. */
  repeat(): void {
    for (const { status, by } of this.#changes) {
      this.#wouldBe.set(status, (this.#wouldBe.get(status) ?? 0) + by);
    }
  }
}

type Counts = Map<string, number>;

/** The interface for reducers (`addToCount`). */
function rowsOf(counts: Counts, onChange: (status: string, by: number) => void): AnyRows {
  const rowOf = (status: string, tasks: number): AnyRow => ({ status, tasks });
  const set = (status: unknown, tasks: unknown) => {
    onChange(String(status), Number(tasks) - (counts.get(String(status)) ?? 0));
    counts.set(String(status), Number(tasks));
  };
  const scan: AnyRows["scan"] = (test = () => true) => {
    const statuses = [...counts.keys()].sort();
    return statuses.map((status) => rowOf(status, counts.get(status) ?? 0)).filter(test);
  };
  return {
    get(status) {
      const tasks = counts.get(String(status));
      return tasks === undefined ? undefined : rowOf(String(status), tasks);
    },
    where: ({ status }, test = () => true) =>
      scan((row) => [status].flat().some((one) => one === row.status) && test(row)),
    first: (limit) => [...counts].slice(0, limit).map(([status, tasks]) => rowOf(status, tasks)),
    scan,
    insert: ({ status, tasks }) => set(status, tasks),
    update: (status, { tasks }) => set(status, tasks),
    delete: (status) => void counts.delete(String(status)),
    evict: () => {},
  };
}
