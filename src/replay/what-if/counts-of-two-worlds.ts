import type { AnyRow } from "../../projections/row-functions.ts";
import type { AnyRows } from "./table-of-two-worlds.ts";

/**
 * How many tasks have each status in two worlds. One task that differs makes counts differ for good, and by these no event would be
 * the same in both worlds any more. So they are counted apart from the other tables: of an event that is the same, what it changed.
 */
export class CountsOfTwoWorlds {
  readonly was: AnyRows;
  readonly wouldBe: AnyRows;
  readonly #wouldBe: Counts = new Map();
  /** What the event changed in the recorded world. */
  readonly #changes: { readonly status: string; readonly by: number }[] = [];

  constructor() {
    this.was = rowsOf(new Map(), (status, by) => this.#changes.push({ status, by }));
    this.wouldBe = rowsOf(this.#wouldBe, () => {});
  }

  /** To be told before each event. */
  begin(): void {
    this.#changes.length = 0;
  }

  /** To be told of an event that is the same in both worlds. */
  repeat(): void {
    for (const { status, by } of this.#changes) {
      this.#wouldBe.set(status, (this.#wouldBe.get(status) ?? 0) + by);
    }
  }
}

type Counts = Map<string, number>;

/** As the reducers see them (`addToCount`). */
function rowsOf(counts: Counts, onChange: (status: string, by: number) => void): AnyRows {
  const rowOf = (status: string, tasks: number): AnyRow => ({ status, tasks });
  const set = (status: unknown, tasks: unknown) => {
    onChange(String(status), Number(tasks) - (counts.get(String(status)) ?? 0));
    counts.set(String(status), Number(tasks));
  };
  return {
    get(status) {
      const tasks = counts.get(String(status));
      return tasks === undefined ? undefined : rowOf(String(status), tasks);
    },
    where(_, test = () => true) {
      const statuses = [...counts.keys()].sort();
      return statuses.map((status) => rowOf(status, counts.get(status) ?? 0)).filter(test);
    },
    first: (limit) => [...counts].slice(0, limit).map(([status, tasks]) => rowOf(status, tasks)),
    insert: ({ status, tasks }) => set(status, tasks),
    update: (status, { tasks }) => set(status, tasks),
    delete: (status) => void counts.delete(String(status)),
    evict: () => {},
  };
}
