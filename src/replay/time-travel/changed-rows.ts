import type { ReadModel } from "../../projections/read-model.ts";
import { PastReadModel } from "./history/past-read-model.ts";

/** A row that is otherwise in a later state than in an earlier one, or in one of them alone. */
export interface Changed<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** The rows of a table that are compared. */
export interface Compared {
  readonly table: string;
  /** The first column of its key. */
  readonly key: string;
  /** SQL of the columns that are compared; among them `id`, by which rows are the same. */
  readonly columns: string;
}

/**
 * What differs between the rows of two states; first new and changed ones, in the order of their ids, then those that are gone. Where
 * both are of one history, that says which rows may differ, and only these are read.
 */
export function changedRows<T extends { readonly id: number | string }>(
  before: ReadModel,
  after: ReadModel,
  { table, key, columns }: Compared,
): Changed<T>[] {
  const keys = mayDiffer(before, after, table);
  const rowsOf = (state: ReadModel) => {
    const some = keys && `WHERE ${key} IN (SELECT value FROM json_each(?))`;
    const query = state.prepared<string[], T>(`SELECT ${columns} FROM ${table} ${some ?? ""} ORDER BY id`);
    return query.iterate(...(keys ? [JSON.stringify(keys)] : []));
  };
  const earlier = new Map([...rowsOf(before)].map((row) => [row.id, row]));
  const changed: Changed<T>[] = [];
  for (const to of rowsOf(after)) {
    const from = earlier.get(to.id);
    earlier.delete(to.id);
    if (!from || JSON.stringify(from) !== JSON.stringify(to)) changed.push({ from, to });
  }
  return [...changed, ...[...earlier.values()].map((from) => ({ from, to: undefined }))];
}

/** @returns keys; undefined if every row may differ */
function mayDiffer(before: ReadModel, after: ReadModel, table: string) {
  const isOneHistory =
    before instanceof PastReadModel && after instanceof PastReadModel && before.path === after.path;
  return isOneHistory ? before.changedUpTo(after.position(), table) : undefined;
}
