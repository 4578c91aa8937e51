import { taskStatuses } from "../../../events/types/fields.ts";
import { type ChartDay, daysTable } from "./days.ts";

/** How many tasks had each status at the end of a day. Tasks that were deleted since then are left out of every day. */
export function statusesByDay(days: readonly ChartDay[]): string {
  // The first day begins with all that was before it.
  const since = days.map((one, index) => (index === 0 ? { ...one, after: 0 } : one));
  const columns = taskStatuses.map(
    (status) =>
      `  sum(sum((c.to_status IS '${status}') - (c.from_status IS '${status}'))) OVER (ORDER BY d.day) AS ${status}`,
  );
  return `${daysTable(since)}
SELECT d.day,
${columns.join(",\n")}
FROM days d LEFT JOIN status_changes c ON c.position > d.after AND c.position <= d.upto
  AND c.task_id IN (SELECT id FROM tasks)
GROUP BY d.day ORDER BY d.day`;
}
