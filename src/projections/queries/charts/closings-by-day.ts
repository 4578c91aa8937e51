import { type ChartDay, daysTable } from "./days.ts";

/** With what the sessions closed that ended on a day. */
export function closingsByDay(days: readonly ChartDay[]): string {
  return `${daysTable(days)}
SELECT d.day,
  count(s.id) FILTER (WHERE s.closing = 'done' AND s.unverified = 0) AS done,
  count(s.id) FILTER (WHERE s.closing = 'done' AND s.unverified = 1) AS unverified,
  count(s.id) FILTER (WHERE s.closing = 'partial') AS partial,
  count(s.id) FILTER (WHERE s.closing = 'stuck' AND s.inferred = 0) AS stuck,
  count(s.id) FILTER (WHERE s.closing = 'stuck' AND s.inferred = 1) AS inferred_stuck,
  count(s.id) FILTER (WHERE s.closing IS NULL) AS none
FROM days d LEFT JOIN sessions s ON s.ended_position > d.after AND s.ended_position <= d.upto
GROUP BY d.day ORDER BY d.day`;
}
