import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Open, type Question, type Schema, valuesIn } from "../../projections/question.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { PastReadModel } from "./history/past-read-model.ts";

/** A row that is otherwise in a later state than in an earlier one, or in one of them alone. */
export interface Changed<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** Keys of rows, as JSON. */
export type Keys = { readonly keys: string };
/** Whether a row is among those that are compared, by the first column of its key. */
type IsCompared = (key: Expression<string | number>, given: Open<Keys>) => RawBuilder<SqlBool>;

/** The rows of a table that are compared; those are the same that have the same `id`. */
export interface Compared<Row> {
  readonly table: keyof Schema;
  readonly all: Question<Keys, Row>;
  readonly some: Question<Keys, Row>;
}

/** @param ask for the rows, in the order of their ids */
export function compared<Row>(
  table: keyof Schema,
  ask: (isCompared: IsCompared) => Question<Keys, Row>,
): Compared<Row> {
  return {
    table,
    all: ask(() => sql<SqlBool>`true`),
    some: ask((key, given) => sql<SqlBool>`${key} IN ${valuesIn(given("keys"))}`),
  };
}

/**
 * What differs between the rows of two states; first new and changed ones, in the order of their ids, then those that are gone. Where
 * both are of one history, that says which rows may differ, and only these are read.
 */
export function changedRows<T extends { readonly id: number | string }>(
  before: ReadModel,
  after: ReadModel,
  { table, all, some }: Compared<T>,
): Changed<T>[] {
  const keys = mayDiffer(before, after, table);
  const rowsOf = (state: ReadModel) => state.each(keys ? some : all, { keys: JSON.stringify(keys ?? []) });
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
  // The earlier state may be of a history that had not come as far as the later one when it was opened.
  return isOneHistory ? after.changedSince(before.position(), table) : undefined;
}
