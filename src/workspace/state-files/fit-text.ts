import { openingOf, type Section, type StateText, wholeText } from "./state-text.ts";

/** A text for somebody who reads only so much. */
export interface FittedText {
  readonly text: string;
  /** False where something was left out; where, and how much, stands in the text. */
  readonly whole: boolean;
}

/**
 * A state file's text within a limit. Where it is too long, first each long entry is cut at its end; then every section
 * gets an equal share of the room, what a short one leaves going to the others, and keeps the entries that matter most.
 *
 * @param limit in UTF-16 units, at least 2,000
 * @param all where all of it is; the last line says it where something was left out
 */
export function fitText(text: StateText, limit: number, all: string): FittedText {
  const whole = wholeText(text);
  if (whole.length <= limit) return { text: whole, whole: true };
  const last = ["", `[… something was left out. ${all}]`];
  const room = limit - sizeOf([...text.head, ...last, ...sectionsMark(text.sections.length)]);
  const filled = text.sections.filter(({ entries }) => entries.length > 0);
  const sections = filled.slice(0, Math.max(1, Math.floor(room / LEAST_SHARE))).map(shortened);
  const shares = sharesOf(sections.map(sizeOfSection), room);
  const lines = sections.flatMap((section, index) => fitSection(section, shares[index] ?? 0));
  const missing = filled.length - sections.length;
  const more = missing > 0 ? sectionsMark(missing) : [];
  return { text: [...text.head, ...lines, ...more, ...last, ""].join("\n"), whole: false };
}

/** A section that gets less says nothing; there are rather fewer of them. */
const LEAST_SHARE = 600;
const TITLE_LIMIT = 200;
const ENTRY_LIMIT = 1_500;

function shortened({ title, lead, entries, keep }: Section): Section {
  return {
    title: title.length > TITLE_LIMIT ? `${cut(title, TITLE_LIMIT)}…` : title,
    ...(lead && { lead }),
    entries: entries.map(shortenEntry),
    keep,
  };
}

function shortenEntry(entry: readonly string[]): readonly string[] {
  const text = entry.join("\n");
  if (text.length <= ENTRY_LIMIT) return entry;
  const begin = cut(text, ENTRY_LIMIT);
  return [...begin.split("\n"), `  [… ${text.length - begin.length} characters left out here]`];
}

/** Without the half of a surrogate pair that a cut leaves. */
function cut(text: string, length: number): string {
  const begin = text.slice(0, length);
  return begin.isWellFormed() ? begin : text.slice(0, length - 1);
}

/** What each gets of the room: no more than it needs, and no less than any other that wants more. */
function sharesOf(sizes: readonly number[], room: number): number[] {
  const shares: number[] = sizes.map(() => 0);
  let left = room;
  const bySize = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  for (const [rank, [index, size]] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (sizes.length - rank)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function fitSection({ title, lead = [], entries, keep }: Section, share: number): string[] {
  const opening = [...openingOf(title), ...lead];
  const mark = (count: number) => `[… ${count} ${count === 1 ? "entry" : "entries"} left out here]`;
  const inOrder = keep === "first" ? entries : entries.toReversed();
  let room = share - sizeOf(opening);
  if (sizeOf(entries.flat()) > room) room -= sizeOf([mark(entries.length)]);
  let kept = 0;
  for (const entry of inOrder) {
    room -= sizeOf(entry);
    if (room < 0) break;
    kept += 1;
  }
  const missing = entries.length - kept;
  if (missing === 0) return [...opening, ...entries.flat()];
  return keep === "first"
    ? [...opening, ...entries.slice(0, kept).flat(), mark(missing)]
    : [...opening, mark(missing), ...entries.slice(missing).flat()];
}

function sizeOfSection({ title, lead = [], entries }: Section): number {
  return sizeOf([...openingOf(title), ...lead, ...entries.flat()]);
}

/** With the end of each line. */
function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function sectionsMark(count: number): string[] {
  return ["", `[… ${count} more sections left out here]`];
}
