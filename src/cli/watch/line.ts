import { createColors } from "picocolors";
import { cut, graphemes, widthOf } from "../../lib/terminal/columns.ts";
import { LOOP_LOOKS } from "../../queries/labels/loop-words.ts";
import { phaseLooks } from "../../queries/labels/phases.ts";

/** The styles of the view: weight, and colours of the terminal's own sixteen. */
export type Style = "bold" | "dim" | "gray" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** A piece of a line in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Line = readonly Span[];

export function span(text: string, style?: Style): Span {
  return { text, style };
}

/** The text in exactly `width` columns. */
export function cell(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

/** The end of a text that fits into `width` columns: what is written now stays in sight. */
export function tail(text: string, width: number): string {
  const segments = [...graphemes(text)].map(({ segment }) => segment);
  let used = 0;
  let from = segments.length;
  while (from > 0) {
    used += widthOf(segments[from - 1] ?? "");
    if (used > width) break;
    from--;
  }
  return segments.slice(from).join("");
}

/** A text in lines of at most `width` columns, broken between words where they fit. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    for (let head = headOf(line, width); head !== line; head = headOf(line, width)) {
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

/** As many characters as fit into `width` columns, and one at least. */
function headOf(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let head = "";
  for (const { segment } of graphemes(text)) {
    if (head !== "" && widthOf(head + segment) > width) break;
    head += segment;
  }
  return head;
}

/** A text without its last character, as people count them. */
export function withoutLast(text: string): string {
  return [...graphemes(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}

/** A line that is not wider than the screen. */
export function clip(line: Line, width: number): Line {
  const fitted: Span[] = [];
  let left = width;
  for (const { text, style } of line) {
    const shown = cut(text, left);
    if (shown !== "") fitted.push({ text: shown, style });
    left -= widthOf(shown);
    if (shown !== text) break;
  }
  return fitted;
}

/** What `left` and `right` hold, with the room between them; where there is none, the right one goes. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = width - lineWidth(left) - lineWidth(right);
  return room < 1 ? clip(left, width) : [...left, span(" ".repeat(room)), ...right];
}

/** How many columns a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** A line as it is written to a terminal. */
export function render(line: Line, look: { readonly color: boolean; readonly ascii: boolean }): string {
  const colors = look.color ? COLORS : NO_COLORS;
  return line
    .map(({ text, style }) => {
      const shown = look.ascii ? asciiOf(text) : text;
      return style === undefined ? shown : colors[style](shown);
    })
    .join("")
    .trimEnd();
}

const COLORS = createColors(true);
const NO_COLORS = createColors(false);

/** Each symbol of ours has an ASCII one of the same width; other letters are left as people wrote them. */
function asciiOf(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (symbol) => ASCII[symbol] ?? symbol);
}

const ASCII: Readonly<Record<string, string>> = {
  "·": "|",
  "…": "~",
  "›": ">",
  "–": "-",
  "✓": "v",
  "⚠": "!",
  "■": "#",
  "≠": "%",
  "⚑": "^",
  ...Object.fromEntries(Object.values(LOOP_LOOKS).map(({ symbol, ascii }) => [symbol, ascii])),
  ...Object.fromEntries(Object.values(phaseLooks).map(({ symbol, ascii }) => [symbol, ascii])),
};
