import { taskStatuses } from "../../../events/types/fields.ts";
import { type ChartDay, daysTable } from "./days.ts";

/**
 * How many tasks had each status at the end of a day. Tasks that were deleted since then are left out of every day. It is counted
 * back from now, so that what was before those days is not read.
 */
export function statusesByDay(days: readonly ChartDay[]): string {
  // With each day stands what came between its end and that of the next one, or now.
  const later = days.map(({ day, upto }, index) => ({
    day,
    after: upto,
    upto: days[index + 1]?.upto ?? Number.MAX_SAFE_INTEGER,
  }));
  const columns = taskStatuses.map(
    (status) =>
      `  (SELECT count(*) FROM tasks WHERE status = '${status}')
    - sum(sum((c.to_status IS '${status}') - (c.from_status IS '${status}'))) OVER (ORDER BY d.day DESC) AS ${status}`,
  );
  return `${daysTable(later)}
SELECT d.day,
${columns.join(",\n")}
FROM days d LEFT JOIN status_changes c ON c.position > d.after AND c.position <= d.upto
  AND c.task_id IN (SELECT id FROM tasks)
GROUP BY d.day ORDER BY d.day`;
}
