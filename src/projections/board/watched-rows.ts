import { idOfKey } from "../row-functions.ts";
import type { Key, Rows } from "../rows.ts";
import type { Row, Table } from "../table.ts";

/** Rows of a table that changed, by their keys, as they were before; undefined for one that was not there. */
export type ChangedRows<T extends Table> = Map<
  Key,
  { readonly key: readonly Key[]; readonly before: Row<T> | undefined }
>;

/**
 * The same rows, which also note in `changed` what is changed of them.
 *
 * @param columns updates of others are not noted
 */
export function watchedRows<T extends Table>(
  table: T,
  rows: Rows<T>,
  columns: readonly (keyof Row<T> & string)[],
  changed: ChangedRows<T>,
): Rows<T> {
  const note = (key: readonly Key[]) => {
    const id = idOfKey(key);
    if (!changed.has(id)) changed.set(id, { key, before: rows.get(...key) });
  };
  return {
    get: rows.get.bind(rows),
    where: rows.where.bind(rows),
    first: rows.first.bind(rows),
    insert(row) {
      // A row of a table known only at run time, inside; its keys are texts and numbers.
      const key = table.key.map((column) => (row as Record<string, unknown>)[column] as Key);
      const id = idOfKey(key);
      if (!changed.has(id)) changed.set(id, { key, before: undefined });
      rows.insert(row);
    },
    update(key, change) {
      if (columns.some((column) => change[column] !== undefined)) note(typeof key === "object" ? key : [key]);
      rows.update(key, change);
    },
    delete(...key) {
      note(key);
      rows.delete(...key);
    },
  };
}
