import type { Microseconds } from "../../lib/time.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { Figures } from "../metrics/scope.ts";
import { closingsByDay } from "./closings-by-day.ts";
import { costsByDay } from "./costs-by-day.ts";
import type { ChartDay } from "./days.ts";
import { phasesByDay } from "./phases-by-day.ts";
import { statusesByDay } from "./statuses-by-day.ts";
import { stuckCounts } from "./stuck-counts.ts";

export const CHARTS = ["statuses", "phases", "costs", "closings", "stuck"] as const;

/** What a chart shows: a row for each day, or for each stuck count; and the SQL that gives just these rows. */
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
};
