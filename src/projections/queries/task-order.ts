import type { TaskStatus } from "../../events/types/fields.ts";
import { statusParts } from "../board/status-order.ts";
import type { ReadModel } from "../read-model.ts";

/** Some consecutive tasks of an order: those from a row on, the first one being 0. */
export interface Rows {
  readonly row: number;
  readonly limit: number;
}

/** Which tasks, as SQL for WHERE, and the values of its parameters. */
interface Matching {
  readonly sql: string;
  readonly given: object;
}

/** The ids of some tasks of a status, in the order in which a board shows them. */
export function idsInOrder(
  readModel: ReadModel,
  status: TaskStatus,
  { row, limit }: Rows,
  matching?: Matching,
): number[] {
  const found: number[] = [];
  let skipped = row;
  for (const [nth, { where, order }] of statusParts(status).entries()) {
    // A title is read from an index that is in another order: the matching ids first, then the order.
    const sought = matching ? ` AND id IN (SELECT id FROM tasks WHERE ${where} AND ${matching.sql})` : "";
    const ids = readModel
      .prepared<object, { id: number }>(
        `SELECT id FROM tasks WHERE ${where}${sought} ORDER BY ${order} LIMIT :limit OFFSET :skipped`,
      )
      .all({ ...matching?.given, limit: limit - found.length, skipped });
    found.push(...ids.map(({ id }) => id));
    if (found.length === limit || nth === statusParts(status).length - 1) break;
    if (found.length === 0 && skipped > 0)
      skipped -= countIn(readModel, `${where}${sought}`, matching?.given);
    else skipped = 0;
  }
  return found;
}

function countIn(readModel: ReadModel, where: string, given: object = {}): number {
  return (
    readModel
      .prepared<object, { tasks: number }>(`SELECT count(*) AS tasks FROM tasks WHERE ${where}`)
      .get(given)?.tasks ?? 0
  );
}
