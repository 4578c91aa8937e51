import type { Goal } from "./goals.ts";
import { mean, median, quantile, type Times } from "./measure.ts";

/** What a bench found, as a table. */
export interface Section {
  readonly title: string;
  /** What ran and how often, in a sentence or two. */
  readonly how: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What the figures should be, in a table of its own. */
  readonly goals?: readonly Goal[];
}

export const TIMES_COLUMNS = [
  "",
  "median",
  "p99",
  "per second",
  "× the first",
  "p99 ×",
  "× by round",
  "runs",
];

/**
 * Rows of TIMES_COLUMNS: each contestant beside the first one.
 *
 * @param per how many events, calls, … one run of a contestant is, for the column "per second" (from the mean)
 */
export function timesRows(times: readonly Times[], per: number | undefined = 1): string[][] {
  const [base] = times;
  return times.map(({ name, rounds }) => {
    const all = rounds.flat();
    const baseAll = base?.rounds.flat() ?? [];
    const byRound = rounds.map((round, index) => median(round) / median(base?.rounds[index] ?? []));
    return [
      name,
      formatTime(median(all)),
      // The 99th percentile of few runs is the slowest of them, and says nothing.
      all.length >= 100 ? formatTime(quantile(all, 0.99)) : "",
      per === undefined ? "" : formatCount((per * 1_000) / mean(all)),
      formatRatio(median(all) / median(baseAll)),
      all.length >= 100 ? formatRatio(quantile(all, 0.99) / quantile(baseAll, 0.99)) : "",
      name === base?.name ? "" : `${formatRatio(Math.min(...byRound))}–${formatRatio(Math.max(...byRound))}`,
      String(all.length),
    ];
  });
}

export function formatTime(time_ms: number): string {
  if (time_ms < 1) return `${(time_ms * 1_000).toFixed(time_ms < 0.01 ? 1 : 0)} µs`;
  return time_ms < 1_000 ? `${time_ms.toPrecision(3)} ms` : `${(time_ms / 1_000).toFixed(2)} s`;
}

export function formatRatio(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : "";
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** A section as Markdown; its tables read well on a terminal too. */
export function toMarkdown({ title, how, columns, rows, goals = [] }: Section): string {
  const lines = [`## ${title}`, "", how, "", ...table(columns, rows), ""];
  if (goals.length === 0) return lines.join("\n");
  const goalRows = goals.map(({ what, figure, goal, met }) => [what, figure, goal, met ? "met" : "missed"]);
  return [...lines, ...table(["goal", "figure", "should be", ""], goalRows), ""].join("\n");
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((column, index) =>
    Math.max(3, column.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, index) => pad(cells[index] ?? "", width, index > 0)).join(" | ")} |`;
  const rule = `|${widths.map((width, index) => `${"-".repeat(width + 1)}${index > 0 ? ":" : "-"}`).join("|")}|`;
  return [line(columns), rule, ...rows.map(line)];
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
