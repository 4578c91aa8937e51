import { reportedStates } from "../../../src/events/types/sessions.ts";
import { taskStatuses } from "../../../src/events/types/task-words.ts";
import { type ChartDay, daysTable } from "../../../src/queries/charts/days.ts";

/*
 * The charts by walking over every change, every state and every session, without what reducers keep for them.
 */

/** Counted back from now over every later change. */
export function walkStatuses(days: readonly ChartDay[]): string {
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

/** From one state of a session to the next. */
export function walkPhases(days: readonly ChartDay[], now: number): string {
  const columns = ["idle", ...reportedStates].map(
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

export function walkClosings(days: readonly ChartDay[]): string {
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

function microseconds(time: string): string {
  return `unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6)`;
}
