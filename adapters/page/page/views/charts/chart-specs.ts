import type { AnswerOf, QueryOf } from "../../../server/answers/index.ts";
import { clockLength, dollars } from "../../core.ts";

export type ChartAnswer = AnswerOf<"chart">;
type ChartName = QueryOf<"chart">["chart"];

/** How a chart shows its rows. */
export interface ChartSpec {
  readonly name: Exclude<ChartName, "stuck" | "dones_by_agent" | undefined>;
  readonly title: string;
  /** The explanation of its numbers. */
  readonly counted: string;
  readonly shape: "areas" | "bars";
  /** From the bottom up. */
  readonly series: readonly Series[];
  /** A line with its own axis on the right. */
  readonly line?: Series;
  /** Columns that only the table has. */
  readonly more?: readonly Column[];
}

export interface Column {
  /** The key in the rows. */
  readonly key: string;
  readonly word: string;
  /** Formats a value; absent: as a number. */
  show?(value: number): string;
}

export interface Series extends Column {
  /** The CSS variable of its colour. */
  readonly color: string;
  readonly symbol: string;
  /** The steps of the axis and their format, if they are not whole numbers. */
  readonly axis?: { readonly steps: readonly number[]; show(value: number): string };
}

const seconds = (value: number) => clockLength(value * 1_000);
const hours = {
  steps: [60, 300, 900, 1_800, ...[1, 2, 4, 8, 24, 48, 120, 240, 480, 1_200].map((each) => each * 3_600)],
  show: (value: number) => (value < 3_600 ? `${value / 60} min` : `${value / 3_600} h`),
};

/** Done at the bottom, draft on top. */
const statuses: ChartSpec = {
  name: "statuses",
  title: "Cumulative flow",
  counted: "Tasks in each status at the end of the day. Tasks deleted since then are not counted.",
  shape: "areas",
  series: [
    { key: "done", word: "done", color: "--done-bar", symbol: "✓" },
    { key: "skipped", word: "skipped", color: "--idle-bar", symbol: "⊘" },
    { key: "failed", word: "failed", color: "--failed-bar", symbol: "✕" },
    { key: "blocked", word: "blocked", color: "--reviewing-bar", symbol: "⊟" },
    { key: "needs_input", word: "needs input", color: "--implementing-bar", symbol: "?" },
    { key: "in_progress", word: "in progress", color: "--analyzing-bar", symbol: "▸" },
    { key: "pending", word: "pending", color: "--testing-bar", symbol: "○" },
    { key: "draft", word: "draft", color: "--muted", symbol: "◌" },
  ],
};

const phases: ChartSpec = {
  name: "phases",
  title: "Phases over time",
  counted:
    "Time in each phase, by the day the session started. Open sessions count until now. Same numbers as `signalbox metrics --by day`.",
  shape: "bars",
  series: [
    { key: "idle_s", word: "idle", color: "--idle-bar", symbol: "○", show: seconds, axis: hours },
    { key: "analyzing_s", word: "analyzing", color: "--analyzing-bar", symbol: "◐", show: seconds },
    { key: "implementing_s", word: "implementing", color: "--implementing-bar", symbol: "◑", show: seconds },
    { key: "testing_s", word: "testing", color: "--testing-bar", symbol: "◒", show: seconds },
    { key: "committing_s", word: "committing", color: "--committing-bar", symbol: "◓", show: seconds },
    { key: "reviewing_s", word: "reviewing", color: "--reviewing-bar", symbol: "◔", show: seconds },
  ],
};

const costs: ChartSpec = {
  name: "costs",
  title: "Sessions and cost",
  counted:
    "Sessions by the day they started, and their reported cost. The table shows how many reported none. Same numbers as `signalbox metrics --by day`.",
  shape: "bars",
  series: [{ key: "sessions", word: "sessions", color: "--analyzing-bar", symbol: "▮" }],
  line: {
    key: "cost_usd",
    word: "cost",
    color: "--reviewing-bar",
    symbol: "$",
    show: (value) => dollars(value * 1_000_000),
  },
  more: [{ key: "cost_unknown", word: "cost unknown" }],
};

const closings: ChartSpec = {
  name: "closings",
  title: "Closing verbs",
  counted: "Closing verbs of the sessions that ended on the day. Same numbers as `signalbox metrics`.",
  shape: "bars",
  series: [
    { key: "done", word: "done", color: "--done-bar", symbol: "✓" },
    { key: "unverified", word: "done, unverified", color: "--testing-bar", symbol: "◒" },
    { key: "partial", word: "partial", color: "--implementing-bar", symbol: "⊙" },
    { key: "stuck", word: "stuck", color: "--failed-bar", symbol: "⚠" },
    { key: "inferred_stuck", word: "stuck, inferred", color: "--reviewing-bar", symbol: "✕" },
    { key: "none", word: "none (cancelled)", color: "--idle-bar", symbol: "○" },
  ],
};

/** Each done is in one of these. */
export const fates: readonly Series[] = [
  { key: "stood", word: "stood", color: "--done-bar", symbol: "✓" },
  { key: "waiting", word: "waiting for a human", color: "--implementing-bar", symbol: "?" },
  { key: "refused_by_evidence", word: "refused by evidence", color: "--reviewing-bar", symbol: "⊟" },
  { key: "refused_by_gates", word: "refused by gates", color: "--testing-bar", symbol: "◒" },
  { key: "sent_back", word: "sent back by a human", color: "--failed-bar", symbol: "✕" },
];

const dones: ChartSpec = {
  name: "dones",
  title: "What became of done",
  counted:
    "Sessions that closed with done, by the day they ended. Evidence is what was found in the workspace. Same numbers as `signalbox metrics`.",
  shape: "bars",
  series: fates,
};

export const chartSpecs: readonly ChartSpec[] = [statuses, phases, costs, closings, dones];

/** A value of a row; null if unknown. */
export function numberIn(row: ChartAnswer["rows"][number] | undefined, key: string): number | null {
  const value = row?.[key];
  return typeof value === "number" ? value : null;
}

/** A formatted value; an unknown one is not 0. */
export function shown(value: number | null, { show }: Column): string {
  if (value === null) return "–";
  return show ? show(value) : value.toLocaleString("en");
}

/** The columns of a chart's table and of its CSV. */
export function columnsOf({ series, line, more = [] }: ChartSpec): readonly Column[] {
  return [...series, ...(line ? [line] : []), ...more];
}
