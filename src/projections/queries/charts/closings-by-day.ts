import { toIsoTime, toSqlTime } from "../../../events/time.ts";
import { type ChartDay, daysTable } from "./days.ts";

/** With what the sessions closed that ended on a day. Those of the window are found by when they ended: times only grow with positions. */
export function closingsByDay(days: readonly ChartDay[]): string {
  const [since, until] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0].map((time) =>
    toSqlTime(toIsoTime(time * 1_000)),
  );
  return `${daysTable(days)},
ended AS (
  SELECT (SELECT d.day FROM days d WHERE s.ended_position > d.after AND s.ended_position <= d.upto) AS day,
    s.id, s.closing, s.unverified, s.inferred
  FROM sessions s WHERE s.completed_at >= '${since}' AND s.completed_at < '${until}')
SELECT d.day,
  count(s.id) FILTER (WHERE s.closing = 'done' AND s.unverified = 0) AS done,
  count(s.id) FILTER (WHERE s.closing = 'done' AND s.unverified = 1) AS unverified,
  count(s.id) FILTER (WHERE s.closing = 'partial') AS partial,
  count(s.id) FILTER (WHERE s.closing = 'stuck' AND s.inferred = 0) AS stuck,
  count(s.id) FILTER (WHERE s.closing = 'stuck' AND s.inferred = 1) AS inferred_stuck,
  count(s.id) FILTER (WHERE s.closing IS NULL) AS none
FROM days d LEFT JOIN ended s ON s.day = d.day
GROUP BY d.day ORDER BY d.day`;
}
