import Table from "cli-table3";
import { createColors } from "picocolors";
import { visible } from "../events/visible.ts";

/** Colours on a terminal only, also where a CI variable is set. */
export const pc = createColors(
  process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
);

/** Prints one JSON value and nothing else. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
}

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function fail(message: string, code: string, exitCode: number): void {
  process.stderr.write(`${pc.red("signalbox:")} ${message} ${pc.dim(`[${code}]`)}\n`);
  process.exitCode = exitCode;
}

/** A table without frame; cells are shortened to a line, and what agents wrote is shown, never interpreted. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  print(rows.length === 0 ? pc.dim("none") : tableLines(head, rows).join("\n"));
}

/** The same as lines: the head, then each row in a line of its own, where no cell has several. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  const table = new Table({
    head: head.map((title) => pc.dim(title)),
    chars: FRAMELESS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  for (const row of rows) table.push(row.map((cell) => (cell === null ? "" : String(cell))));
  return table.toString().split("\n");
}

/** `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** One line of text that someone else wrote: control and bidi characters shown as escapes, shortened to `width`. */
export function quoteLine(text: string, width = 72): string {
  const line = (text.split(/\r\n|\n|\r/).find((part) => part.trim() !== "") ?? "").trim();
  const shown = visible(line);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown;
}

/** Text that someone else wrote, over several lines. */
export function quoteText(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(visible)
    .join("\n");
}

const FRAMELESS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};
