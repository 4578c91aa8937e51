import { AGENT } from "../../events/actors.ts";
import { taskStatuses } from "../../events/types/fields.ts";
import type { Microseconds } from "../../lib/time.ts";
import { lastingPhases } from "../../projections/board/session-tables.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { Fate } from "../metrics/dones.ts";
import type { Figures } from "../metrics/scope.ts";
import type { ChartDay } from "./days.ts";
import { daysTable } from "./days.ts";

export const CHARTS = [
  "statuses",
  "phases",
  "costs",
  "closings",
  "stuck",
  "dones",
  "dones_by_agent",
] as const;

/** What a chart shows: a row for each day, each stuck count, or each agent and model; and the SQL that gives just these rows. */
export interface Chart {
  readonly sql: string;
  readonly rows: readonly Figures[];
}

/** @param days without gaps, the first one first; of none nothing is told. @param now until then open sessions have lasted */
export function chart(
  readModel: ReadModel,
  name: (typeof CHARTS)[number],
  days: readonly ChartDay[],
  now: Microseconds,
): Chart {
  if (days.length === 0) return { sql: "", rows: [] };
  const sql = SQL[name](days, now);
  // Not kept: its days change with every event.
  return { sql, rows: readModel.database.prepare<[], Figures>(sql).all() };
}

/** The same counts as those of `signalbox metrics --by day` (docs/metrics.md), as far as it has them. */
const SQL: Readonly<
  Record<(typeof CHARTS)[number], (days: readonly ChartDay[], now: Microseconds) => string>
> = {
  statuses: statusesByDay,
  phases: phasesByDay,
  costs: costsByDay,
  closings: closingsByDay,
  stuck: stuckCounts,
  dones: (days) => `${fatesTable(days)}
SELECT d.day, ${FATE_COUNTS}
FROM days d LEFT JOIN fates f ON f.day = d.day
GROUP BY d.day ORDER BY d.day`,
  dones_by_agent: (days) => `${fatesTable(days)}
SELECT a.agent, a.model, count(*) AS claimed, ${FATE_COUNTS}
FROM fates f LEFT JOIN agents a ON a.session_id = f.session_id
GROUP BY a.agent, a.model ORDER BY a.agent IS NULL, a.agent, a.model IS NULL, a.model`,
};

/** Task count per non-zero stuck count (docs/rules.md, Stagnation). */
function stuckCounts(): string {
  return `SELECT stuck_count, count(*) AS tasks FROM tasks
WHERE stuck_count > 0 GROUP BY stuck_count ORDER BY stuck_count`;
}

/** The sessions that started on a day, what those cost together that told it, and how many did not: unknown, or none at all, is not 0. */
function costsByDay(days: readonly ChartDay[]): string {
  return `${daysTable(days)}
SELECT d.day, count(s.id) AS sessions,
  sum(a.cost_micro_usd) / 1000000.0 AS cost_usd,
  count(s.id) - count(a.cost_micro_usd) AS cost_unknown
FROM days d LEFT JOIN sessions s ON s.started_position > d.after AND s.started_position <= d.upto
  LEFT JOIN agents a ON a.session_id = s.id
GROUP BY d.day ORDER BY d.day`;
}

/** With what the sessions closed that ended on a day. */
function closingsByDay(days: readonly ChartDay[]): string {
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

const FATES: readonly Fate[] = ["stood", "waiting", "refused_by_evidence", "refused_by_gates", "sent_back"];
const FATE_COUNTS = FATES.map((fate) => `\n  count(*) FILTER (WHERE f.fate = '${fate}') AS ${fate}`).join(
  ",",
);

/** What became of the sessions that closed with done and ended on a day, as `doneFigures` counts it. */
function fatesTable(days: readonly ChartDay[]): string {
  return `${daysTable(days)},
fates AS (
  SELECT d.day, t.session_id, CASE
    WHEN t.unverified = 1 THEN iif(
      EXISTS (SELECT 1 FROM session_findings WHERE session_id = t.session_id AND led_to = 'refuse'),
      'refused_by_evidence', 'refused_by_gates')
    WHEN EXISTS (
      SELECT 1 FROM status_changes n LEFT JOIN task_acts h ON h.position = n.position AND h.task_id = n.task_id
      WHERE n.task_id = t.task_id AND n.position > t.ended_position
        AND n.position < coalesce((SELECT min(ended_position) FROM sessions
          WHERE task_id = t.task_id AND ended_position > t.ended_position), n.position + 1)
        AND (n.rule = 'humans: send back' OR n.rule = 'humans: set a status' AND h.actor <> '${AGENT}'
          AND n.from_status IN ('done', 'needs_input') AND n.to_status <> 'done')) THEN 'sent_back'
    WHEN EXISTS (SELECT 1 FROM tasks WHERE id = t.task_id AND last_start = t.started_position
      AND status = 'needs_input' AND awaiting_acceptance = 1) THEN 'waiting'
    ELSE 'stood' END AS fate
  FROM days d CROSS JOIN session_times t ON t.ended_position > d.after AND t.ended_position <= d.upto
  WHERE +t.closing = 'done')`;
}

/** The time in each phase, in seconds, of the sessions that started on a day; of an open one until now. */
function phasesByDay(days: readonly ChartDay[], now: Microseconds): string {
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

/**
 * How many tasks had each status at the end of a day. Tasks that were deleted since then are left out of every day. It begins at
 * the counts that are kept of a point shortly before, and reads no more than what changed since that point.
 */
function statusesByDay(days: readonly ChartDay[]): string {
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
