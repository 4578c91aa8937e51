import { type CsvCell, csvLines } from "../../lib/csv.ts";
import { duration } from "../../lib/readable.ts";
import { pc, print, printTable, quoteLine } from "../../lib/terminal/output.ts";
import type { Metrics } from "../../queries/metrics/metrics.ts";
import type { Figures } from "../../queries/metrics/scope.ts";

/** Prints each table that has rows, with times and amounts as people read them. */
export function showMetrics(metrics: Metrics): void {
  const tables = Object.entries(metrics).filter(([, rows]) => rows.length > 0);
  if (tables.length === 0)
    print("Nothing to measure: no session, question, gate or learning in this period.");
  for (const [index, [name, rows]] of tables.entries()) {
    if (index > 0) print();
    print(pc.bold(inWords(name)));
    showTable(rows);
  }
}

/**
 * All figures in one table of the columns table, group, item, figure, value. `item` is what else a row is about: a phase, a
 * period, a kind, a text, an agent and its model. What is not known is an empty value.
 */
export function metricsCsv(metrics: Metrics): string {
  const rows = Object.entries(metrics).flatMap(([table, figures]) =>
    figures.flatMap((row: Figures) => {
      const items = ITEMS.filter((column) => column in row);
      const item = items.flatMap((column) => row[column] ?? []).join(" ");
      return Object.entries(row)
        .filter(([column]) => column !== "group" && !items.includes(column))
        .map(([figure, value]): CsvCell[] => [table, row.group ?? null, item, figure, value]);
    }),
  );
  return csvLines([["table", "group", "item", "figure", "value"], ...rows]);
}

function showTable(rows: readonly Figures[]): void {
  const [first = {}] = rows;
  // Where nobody asked for groups there is one, which says nothing.
  const columns = Object.keys(first).filter(
    (column) => column !== "group" || rows.some(({ group }) => group !== "all"),
  );
  printTable(
    columns.map(heading),
    rows.map((row) => columns.map((column) => shown(column, row[column] ?? null))),
  );
}

/** The columns beside the group that hold texts. */
const ITEMS: readonly string[] = ["phase", "period", "kind", "text", "agent", "model"];

function heading(column: string): string {
  return inWords(column.replace(/_(s|usd)$/, ""));
}

function shown(column: string, value: string | number | null): string {
  if (column === "group" && value === null) return "(no task)";
  if (value === null) return "–";
  if (typeof value === "string") return quoteLine(value);
  if (column.endsWith("_s")) return duration(value);
  if (column.endsWith("_usd") || column.startsWith("usd_")) return `$${value.toFixed(2)}`;
  return column === "share" ? `${Math.round(value * 100)} %` : String(value);
}

function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
