import { taskStatuses } from "../../events/types/fields.ts";
import { type ChartDay, daysTable } from "./days.ts";

/**
 * How many tasks had each status at the end of a day. Tasks that were deleted since then are left out of every day. It begins at
 * the counts that are kept of a point shortly before, and reads no more than what changed since that point.
 */
export function statusesByDay(days: readonly ChartDay[]): string {
  const columns = taskStatuses.map(
    (status) =>
      `  coalesce(k.${status}, 0) + coalesce(sum(m.counts * ((m.to_status IS '${status}') - (m.from_status IS '${status}'))), 0) AS ${status}`,
  );
  return `${daysTable(days)},
points AS (
  SELECT day, upto, coalesce((SELECT max(position) FROM status_points WHERE position <= upto), 0) AS point FROM days),
moves AS (
  SELECT p.day, c.from_status, c.to_status, 1 AS counts
  FROM points p CROSS JOIN status_changes c ON c.position > p.point AND c.position <= p.upto
  WHERE c.task_id NOT IN (SELECT task_id FROM deleted_tasks)
  UNION ALL
  SELECT p.day, c.from_status, c.to_status, -1
  FROM points p CROSS JOIN deleted_tasks x ON x.position > p.point
    CROSS JOIN status_changes c ON c.task_id = x.task_id AND c.position <= p.point)
SELECT p.day,
${columns.join(",\n")}
FROM points p LEFT JOIN status_points k ON k.position = p.point LEFT JOIN moves m ON m.day = p.day
GROUP BY p.day ORDER BY p.day`;
}
