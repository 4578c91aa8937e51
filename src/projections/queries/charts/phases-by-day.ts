import type { Microseconds } from "../../../events/time.ts";
import { reportedStates } from "../../../events/types/sessions.ts";
import { type ChartDay, daysTable } from "./days.ts";

/** The phases that last some time. */
const lastingPhases = ["idle", ...reportedStates] as const;

/** The time in each phase, in seconds, of the sessions that started on a day; of an open one until now. */
export function phasesByDay(days: readonly ChartDay[], now: Microseconds): string {
  const columns = lastingPhases.map(
    (phase) =>
      `  coalesce(sum(left - entered) FILTER (WHERE state = '${phase}'), 0) / 1000000.0 AS ${phase}_s`,
  );
  return `${daysTable(days)},
steps AS (
  SELECT d.day, t.state, ${microseconds("t.entered_at")} AS entered,
    coalesce(
      lead(${microseconds("t.entered_at")}) OVER (PARTITION BY t.session_id ORDER BY t.ordinal),
      max(${microseconds("t.entered_at")}, coalesce(${microseconds("s.completed_at")}, ${now}))) AS left
  FROM days d CROSS JOIN sessions s ON s.started_position > d.after AND s.started_position <= d.upto
    CROSS JOIN session_states t ON t.session_id = s.id)
SELECT d.day,
${columns.join(",\n")}
FROM days d LEFT JOIN steps ON steps.day = d.day
GROUP BY d.day ORDER BY d.day`;
}

/** SQL for a time of either form of the tables, in microseconds since 1970. */
function microseconds(time: string): string {
  return `unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6)`;
}
