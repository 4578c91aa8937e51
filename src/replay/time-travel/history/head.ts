import { damage } from "./damage.ts";

/** Of a history's file: up to which event it is made, and the last event that it has. */
export interface HeadRow {
  readonly position: number;
  readonly last: number;
}

export const HEAD_SQL =
  "SELECT position, coalesce((SELECT max(position) FROM __events), 0) AS last FROM __head";

/**
 * Up to which event a history is made.
 *
 * @throws SqliteError `SQLITE_CORRUPT`: it is not what was written. By the head the nodes are found; with a lower one rows would be passed over
 */
export function headIn(row: HeadRow | undefined): number {
  if (!row || row.position !== row.last) throw damage("its head fails its checksum");
  return row.position;
}
