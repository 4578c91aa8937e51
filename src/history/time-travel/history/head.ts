import { damage } from "./damage.ts";

/** The head of a history's file: how far it goes, and the last event in it. */
export interface HeadRow {
  readonly position: number;
  readonly last: number;
}

export const HEAD_SQL =
  "SELECT position, coalesce((SELECT max(position) FROM __events), 0) AS last FROM __head";

/**
 * The last event that a history covers.
 *
 * @throws SqliteError `SQLITE_CORRUPT`: its checksum fails. The head determines the nodes to
 * search; with a lower one, rows would be missed
 */
export function headIn(row: HeadRow | undefined): number {
  if (!row || row.position !== row.last) throw damage("its head fails its checksum");
  return row.position;
}
