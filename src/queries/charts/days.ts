/** A day of a chart: the events that were recorded in it are those after one position, up to another. */
export interface ChartDay {
  /** Such as `2026-02-11`, in the zone that the chart is for. */
  readonly day: string;
  /** The position of the last event before it; 0 for none. */
  readonly after: number;
  /** The position of its last event; that of `after` where it has none. */
  readonly upto: number;
  /** When it begins and ends, in milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

/** SQL's WITH for the days of a chart, as the tables have no days of a zone. @param days at least one */
export function daysTable(days: readonly Pick<ChartDay, "day" | "after" | "upto">[]): string {
  const rows = days.map(({ day, after, upto }) => `('${day}', ${after}, ${upto})`);
  return `WITH days (day, after, upto) AS (VALUES\n  ${rows.join(",\n  ")})`;
}
