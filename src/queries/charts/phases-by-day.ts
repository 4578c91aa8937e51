import type { Microseconds } from "../../lib/time.ts";
import { lastingPhases } from "../../projections/board/session-tables.ts";
import { type ChartDay, daysTable } from "./days.ts";

/** The time in each phase, in seconds, of the sessions that started on a day; of an open one until now. */
export function phasesByDay(days: readonly ChartDay[], now: Microseconds): string {
  const sums = (column: (phase: string) => string) =>
    lastingPhases.map((phase) => `sum(${column(phase)}) AS ${phase}_us`).join(",\n    ");
  return `${daysTable(days)},
times AS (
  SELECT d.day, ${sums((phase) => `t.${phase}_us`)}
  FROM days d CROSS JOIN session_times t ON t.started_position > d.after AND t.started_position <= d.upto
  GROUP BY d.day
  UNION ALL
  SELECT d.day,
    ${sums((phase) => `coalesce(s.${phase}_us, 0) + iif(s.current_state = '${phase}', max(0, ${now} - s.state_since_us), 0)`)}
  FROM sessions s CROSS JOIN days d ON s.started_position > d.after AND s.started_position <= d.upto
  WHERE s.completed_at IS NULL GROUP BY d.day)
SELECT d.day,
${lastingPhases.map((phase) => `  coalesce(sum(p.${phase}_us), 0) / 1000000.0 AS ${phase}_s`).join(",\n")}
FROM days d LEFT JOIN times p ON p.day = d.day
GROUP BY d.day ORDER BY d.day`;
}
