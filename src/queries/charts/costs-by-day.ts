import { type ChartDay, daysTable } from "./days.ts";

/** The sessions that started on a day, what those cost together that told it, and how many did not: unknown, or none at all, is not 0. */
export function costsByDay(days: readonly ChartDay[]): string {
  return `${daysTable(days)}
SELECT d.day, count(s.id) AS sessions,
  sum(a.cost_micro_usd) / 1000000.0 AS cost_usd,
  count(s.id) - count(a.cost_micro_usd) AS cost_unknown
FROM days d LEFT JOIN sessions s ON s.started_position > d.after AND s.started_position <= d.upto
  LEFT JOIN agents a ON a.session_id = s.id
GROUP BY d.day ORDER BY d.day`;
}
