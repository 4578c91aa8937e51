import { idOfKey } from "../row-functions.ts";
import type { Key, Rows } from "../rows.ts";
import type { Row, Table } from "../table.ts";

/** Changed rows of a table by key, with their earlier values; undefined for a new row. */
export type ChangedRows<T extends Table> = Map<
  Key,
  { readonly key: readonly Key[]; readonly before: Row<T> | undefined }
>;

/**
 * The same rows, but every change is recorded in `changed`.
 *
 * @param columns updates of other columns are not recorded
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
    scan: rows.scan.bind(rows),
    insert(row) {
      // The table is known only at run time; its keys are texts and numbers.
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
