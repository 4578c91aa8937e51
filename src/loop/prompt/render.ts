import type { Entry, FittedPart, Part } from "./part.ts";

/** The text of a prompt. Parts without entries are left out. */
export function renderPrompt(parts: readonly FittedPart[]): string {
  return `${parts
    .filter(({ taken }) => taken.length > 0)
    .map(renderPart)
    .join(BETWEEN)}\n`;
}

/**
 * The characters that a part adds with its first entry, not counting the entry; each entry adds
 * itself and a line feed.
 */
export function openingSize(part: Part): number {
  const mayBeCut = part.required ? 0 : leftOut(MOST_LEFT_OUT).length;
  return opening(part).length + mayBeCut + BETWEEN.length;
}

export function entrySize({ text }: Entry): number {
  return text.length + 1;
}

function renderPart(part: FittedPart): string {
  const entries = part.chronological ? [...part.taken].sort(byFirstPosition) : part.taken;
  const texts = entries.map(({ text }) => text);
  return opening(part) + texts.join("\n") + (part.cut.length > 0 ? leftOut(part.cut.length) : "");
}

function opening({ heading, lead }: Part): string {
  return [heading && `# ${heading}\n\n`, lead && `${lead}\n`].filter(Boolean).join("");
}

function leftOut(count: number): string {
  return `\n(${count} more were left out for lack of room.)`;
}

const BETWEEN = "\n\n";
const MOST_LEFT_OUT = 1_000_000;

function byFirstPosition(a: Entry, b: Entry): number {
  return (a.positions[0] ?? 0) - (b.positions[0] ?? 0);
}
