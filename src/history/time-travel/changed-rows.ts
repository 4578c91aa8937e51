import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Open, type Question, type Schema, valuesIn } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { PastReadModel } from "./history/past-read-model.ts";

/** A row that differs between an earlier and a later state, or exists in only one of them. */
export interface Changed<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** Keys of rows, as JSON. */
export type Keys = { readonly keys: string };
/** Whether to compare a row, by the first column of its key. */
type IsCompared = (key: Expression<string | number>, given: Open<Keys>) => RawBuilder<SqlBool>;

/** The rows of a table to compare; rows with the same `id` belong together. */
export interface Compared<Row> {
  readonly table: keyof Schema;
  readonly all: Question<Keys, Row>;
  readonly some: Question<Keys, Row>;
}

/** @param ask reads the rows, ordered by id */
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
 * The differences between the rows of two states: first new and changed rows, ordered by id, then
 * deleted ones. If both states are of one history, it knows which rows may differ, and only those
 * are read.
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
  // The earlier state may be of a history that was shorter when it was opened.
  return isOneHistory ? after.changedSince(before.position(), table) : undefined;
}
