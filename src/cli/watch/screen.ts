import { clockLength, dollars } from "../../lib/readable.ts";
import { widthOf } from "../../lib/terminal/columns.ts";
import { quoteLine } from "../../lib/terminal/output.ts";
import { fromSqlTime, type Microseconds } from "../../lib/time.ts";
import { inLoopWords, LOOP_LOOKS, type LoopsView, viewLoops } from "../../queries/labels/loop-words.ts";
import { inboxLines } from "./inbox-lines.ts";
import { itemDetails } from "./item-details.ts";
import { keyBar } from "./key-bar.ts";
import { clip, type Line, type Span, span, spread, tail, wrap } from "./line.ts";
import type { SeenOverview } from "./live.ts";
import { sessionLines } from "./session-lines.ts";
import { itemsOf, type Prompt, selectedItem, type WatchState } from "./state.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Screen {
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/**
 * The whole view as text: line 1 the project, then sessions, counts, inbox, a line for messages and input, the keys.
 * Pure: the same state, size and time give the same lines, exactly as many as the screen has.
 */
export function screenOf(
  state: WatchState,
  { columns: width, rows }: Size,
  { project, now }: { readonly project: string; readonly now: Microseconds },
): Screen {
  const input = state.prompt && promptLine(state.prompt, width);
  const said = input && !state.message ? [] : messageLines(state, width);
  const below = [...said, ...(input ? [input.line] : said.length > 0 ? [] : [[]]), keyBar(state, width)];
  const room = Math.max(0, rows - FIXED);
  const above = roomForSessions(state, width, room);
  // A message of several lines takes them from the inbox.
  const rest = Math.max(0, rows - 2 - above - below.length);
  const { overview, index, opened } = state;
  const middle = state.sheet
    ? filled(keySheet(width), above + 1 + rest)
    : [
        ...filled(sessionsPart(overview, width, above, now), above),
        countsLine(overview, width),
        ...filled(inboxLines(itemsOf(state), { index, opened, width, room: rest }), rest),
      ];
  const lines = [headerLine(overview, project, width, now), ...middle, ...below];
  return {
    // On a screen too low for all of it, the keys and the prompt are what must not be lost.
    lines: lines.slice(Math.max(0, lines.length - rows)).map((line) => clip(line, width)),
    cursor: input && rows > 1 ? { row: rows - 2, column: Math.min(input.column, width - 1) } : undefined,
  };
}

/** Header, counts, message, keys. */
const FIXED = 4;
/** At 24 rows: 9 lines for sessions, 11 for the inbox. */
const SESSIONS_SHARE = 0.45;

/** Some lines, always the same number; an opened item that needs more takes all but three. */
function roomForSessions(state: WatchState, width: number, room: number): number {
  const usual = Math.floor(room * SESSIONS_SHARE);
  const item = state.opened ? selectedItem(state) : undefined;
  if (!item) return usual;
  const needed = itemDetails(item, { opened: true, width, room }).length + 2;
  return Math.min(usual, Math.max(3, room - needed));
}

function filled(lines: readonly Line[], room: number): readonly Line[] {
  return Array.from({ length: room }, (_, place) => lines[place] ?? []);
}

function headerLine(view: SeenOverview, project: string, width: number, now: Microseconds): Line {
  const { position, cost: sum, stopped } = view;
  const live = stopped.some(({ own }) => !own) ? span("✕ stopped", "red") : span("● live", "green");
  const spent = sum.sessions === 0 ? "" : ` · today ${dollars(sum.cost_micro_usd)}${leftOut(sum.unknown)}`;
  const { live: loops, ended, all } = loopsIn(view, now);
  const { symbol, word } = LOOP_LOOKS[all.state];
  const counts = loops.length > 1 ? `${loops.length} loops ` : "";
  const running = loops.length > 0 || ended ? ` · ${counts}${symbol} ${word}` : "";
  const place = ` · #${grouped(position)}`;
  const right: Span[] = [live, span(`${place}${width >= 60 ? running + spent : ""}`)];
  const name = width >= 60 ? "signalbox " : "";
  return spread([span(name, "dim"), span(quoteLine(project, 30), "bold")], right, width);
}

function loopsIn({ loops, paused, ready }: SeenOverview, now: Microseconds): LoopsView {
  return viewLoops({ loops, last: null }, { paused, ready, now });
}

/** A sum says how many sessions it leaves out. */
function leftOut(unknown: number): string {
  return unknown === 0 ? "" : `, ${unknown} unknown`;
}

/** `48,211`, alike everywhere. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function sessionsPart(view: SeenOverview, width: number, room: number, now: Microseconds): Line[] {
  const warnings = warningLines(view, now).slice(0, Math.max(0, room - 2));
  const heading = spread(
    [span(`Sessions ${view.sessions.length}`, "bold")],
    [span("signalbox session list --open", "dim")],
    width,
  );
  const left = Math.max(0, room - 1 - warnings.length);
  return [heading, ...sessionLines(view.sessions, { width, room: left, now }), ...warnings];
}

function warningLines(view: SeenOverview, now: Microseconds): Line[] {
  const { stopped, overlaps } = view;
  const lines = stopped.map(
    ({ projection, error }): Line => [
      span(`✕ projection ${projection} stopped at ${quoteLine(error ?? "", 200)}`, "red"),
    ],
  );
  for (const { driver, ...loop } of loopsIn(view, now).live) {
    if (loop.state === "running" || (loop.state === "waiting" && loop.until === null)) continue;
    const words = inLoopWords(loop, (until) => clockLength((fromSqlTime(until) - now) / 1_000));
    lines.push([span(`⚠ ${quoteLine(driver, 50)} ${quoteLine(words, 200)}`, "yellow")]);
  }
  const [first] = overlaps;
  if (first) {
    const more = overlaps.length > 1 ? ` and ${overlaps.length - 1} more` : "";
    const tasks = `tasks ${first.task_id} and ${first.other_task_id}`;
    lines.push([span(`⚠ ${tasks} both change ${quoteLine(first.path, 200)}${more}`, "yellow")]);
  }
  return lines;
}

/** How many tasks wait, run and are over; first what asks for a look, and what does not fit is left out. */
function countsLine({ counts, ready }: SeenOverview, width: number): Line {
  const { pending = 0, in_progress = 0, needs_input = 0, blocked = 0 } = counts;
  const { draft = 0, failed = 0, done = 0, skipped = 0 } = counts;
  const all = {
    ready,
    in_progress,
    needs_input,
    blocked,
    failed,
    waiting: pending - ready,
    draft,
    done,
    skipped,
  };
  let line = "";
  for (const [name, count] of Object.entries(all)) {
    const longer = `${line === "" ? "" : `${line} · `}${name.replace("_", " ")} ${count}`;
    if (count > 0 && widthOf(longer) <= width) line = longer;
  }
  return spread([span(line || "no tasks yet")], [span("signalbox status", "dim")], width);
}

function promptLine({ item, act, text }: Prompt, width: number): { line: Line; column: number } {
  const label = `${act.label} ${item.kind === "acceptance" ? item.task : item.id} › `;
  const written = tail(text, Math.max(1, width - widthOf(label) - 1));
  return { line: [span(label, "bold"), span(written)], column: widthOf(label) + widthOf(written) };
}

/** In as many lines as it needs, up to three: a refusal says what would be right at its end. */
function messageLines({ message }: WatchState, width: number): Line[] {
  if (!message) return [];
  const { text, tone } = message;
  const mark = tone === "good" ? "✓ " : tone === "bad" ? "✕ " : "";
  const style = tone === "good" ? "green" : tone === "bad" ? "red" : undefined;
  return wrap(`${mark}${quoteLine(text, 1_000)}`, width)
    .slice(0, 3)
    .map((line) => [span(line, style)]);
}

/** All keys, and what each does; the letters are those of the panel. */
function keySheet(width: number): Line[] {
  const heading = spread([span("Keys", "bold")], [span("signalbox watch --help", "dim")], width);
  return [heading, ...KEYS.map(([key, does]): Line => [span(`  ${key.padEnd(9)}`, "bold"), span(does)])];
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k", "next, previous item (also arrows, PgUp, PgDn, Home, End)"],
  ["Enter", "open or close an item; on a question, write an answer"],
  ["1…9", "answer a question with one of its options (1 is preferred)"],
  ["a", "answer a question, approve a proposal or a gate, accept a done"],
  ["r", "resolve a blocker"],
  ["x", "dismiss a question or blocker, reject a proposal or a gate, send a done back"],
  ["t s b", "retry, skip or abort an escalated gate"],
  ["p", "reopen a task whose done an agent disputes"],
  ["z", "undo your last action here, until the task's next session"],
  ["?", "show these keys"],
  ["Ctrl-L", "redraw the screen"],
  ["Ctrl-Z", "suspend"],
  ["q", "quit (or Ctrl-C)"],
];
