import type { ReadModel } from "../../projections/read-model.ts";

/** A row that is otherwise in a later state than in an earlier one, or in one of them alone. */
export interface Changed<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/**
 * What a query, asked of two states, finds otherwise; first what is new or changed, in the later state's order, then what is gone.
 *
 * @param sql selects the column `id`, by which rows are the same, and those that are compared
 */
export function changedRows<T extends { readonly id: number | string }>(
  before: ReadModel,
  after: ReadModel,
  sql: string,
): Changed<T>[] {
  const earlier = new Map(
    before
      .prepared<[], T>(sql)
      .all()
      .map((row) => [row.id, row]),
  );
  const changed: Changed<T>[] = [];
  for (const to of after.prepared<[], T>(sql).iterate()) {
    const from = earlier.get(to.id);
    earlier.delete(to.id);
    if (!from || JSON.stringify(from) !== JSON.stringify(to)) changed.push({ from, to });
  }
  return [...changed, ...[...earlier.values()].map((from) => ({ from, to: undefined }))];
}
