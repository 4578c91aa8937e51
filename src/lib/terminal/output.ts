import { createColors } from "picocolors";
import { isBlank } from "../blank.ts";
import { visible, visibleJson } from "../visible.ts";
import { cut, widthOf } from "./columns.ts";

/** Colours on a terminal only, also where a CI variable is set. */
export const pc = createColors(
  process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
);

/** Prints one JSON value and nothing else: on one line, unless stdout is a terminal. */
export function printJson(value: unknown): void {
  print(visibleJson(value, process.stdout.isTTY ? 2 : undefined));
}

/** Prints one of several JSON values, on a line of its own. */
export function printJsonLine(value: unknown): void {
  print(visibleJson(value));
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
  print(tableLines(head, rows).join("\n"));
}

/** The same as lines: the head, then the rows; each is one line, where no cell has several. A table without rows is "none". */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  if (rows.length === 0) return [pc.dim("none")];
  const cells = [head.map((title) => pc.dim(title)), ...rows].map((row) =>
    row.map((cell) =>
      String(cell ?? "")
        .split("\n")
        .map((text) => ({ text, width: widthOf(text) })),
    ),
  );
  const widths = head.map((_, column) =>
    cells.reduce(
      (most, row) => (row[column] ?? []).reduce((wide, { width }) => Math.max(wide, width), most),
      0,
    ),
  );
  return cells.flatMap((row) =>
    Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, nth) =>
      row
        .map((lines, column) => {
          const { text, width } = lines[nth] ?? { text: "", width: 0 };
          return text + " ".repeat((widths[column] ?? width) - width + GAP);
        })
        .join(""),
    ),
  );
}

/** Spaces behind each column. */
const GAP = 2;

/** `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** One line of text that someone else wrote: control and bidi characters shown as escapes, shortened to `width` columns. */
export function quoteLine(text: string, width = 72): string {
  const line = (text.split(/\r\n|\n|\r/).find((part) => !isBlank(part)) ?? "").trim();
  return cut(visible(line), width);
}

/** Text that someone else wrote, over several lines. */
export function quoteText(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(visible)
    .join("\n");
}
