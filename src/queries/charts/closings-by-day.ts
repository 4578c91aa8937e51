import { type ChartDay, daysTable } from "./days.ts";

/** With what the sessions closed that ended on a day. */
export function closingsByDay(days: readonly ChartDay[]): string {
  return `${daysTable(days)}
SELECT d.day,
  count(*) FILTER (WHERE t.closing = 'done' AND t.unverified = 0) AS done,
  count(*) FILTER (WHERE t.closing = 'done' AND t.unverified = 1) AS unverified,
  count(*) FILTER (WHERE t.closing = 'partial') AS partial,
  count(*) FILTER (WHERE t.closing = 'stuck' AND t.inferred = 0) AS stuck,
  count(*) FILTER (WHERE t.closing = 'stuck' AND t.inferred = 1) AS inferred_stuck,
  count(t.ended_position) FILTER (WHERE t.closing IS NULL) AS none
FROM days d LEFT JOIN session_times t ON t.ended_position > d.after AND t.ended_position <= d.upto
GROUP BY d.day ORDER BY d.day`;
}
