import type { InboxItem } from "../../projections/queries/inbox.ts";
import { choicesOf, commandFor } from "../inbox-hints.ts";
import { quoteLine, quoteText } from "../output.ts";
import { actsOn } from "./acts.ts";
import { clip, cut, type Line, type Span, type Style, span, spread, widthOf, wrap } from "./line.ts";

/**
 * The inbox in at most `room` lines: a heading, and as many items as fit around the selected one, which shows its options
 * and its command, and once opened all that belongs to it.
 */
export function inboxLines(
  items: readonly InboxItem[],
  {
    index,
    opened,
    width,
    room,
  }: { readonly index: number; readonly opened: boolean; readonly width: number; readonly room: number },
): Line[] {
  if (room <= 0) return [];
  const command: Span[] = [span("signalbox inbox --json", "dim")];
  if (items.length === 0) {
    const nothing: Line = [span("Nothing waits for you.", "dim")];
    return [spread([span("Inbox 0", "bold")], command, width), nothing].slice(0, room);
  }
  const below = room - 1;
  const own = items[index] ? ownLines(items[index], opened, width).slice(0, Math.max(0, below - 1)) : [];
  // The selected one stays in sight with all of its lines; what came before it fills what is left above.
  const first = Math.max(0, Math.min(index, index + 1 + own.length - below));
  const lines = items
    .slice(first)
    .flatMap((item, place) =>
      first + place === index ? [itemLine(item, true, width), ...own] : [itemLine(item, false, width)],
    )
    .slice(0, below);
  const places = items.length > 1 ? ` (${index + 1} of ${items.length})` : "";
  const heading: Line = [span(`Inbox ${items.length}`, "bold"), span(places, "dim")];
  return [spread(heading, command, width), ...lines];
}

const LOOKS: Readonly<Record<InboxItem["kind"], { readonly symbol: string; readonly style: Style }>> = {
  gate: { symbol: "!", style: "red" },
  question: { symbol: "?", style: "yellow" },
  blocker: { symbol: "■", style: "red" },
  contest: { symbol: "≠", style: "magenta" },
  proposal: { symbol: "+", style: "blue" },
  flag: { symbol: "⚑", style: "yellow" },
  acceptance: { symbol: "✓", style: "green" },
};

function itemLine(item: InboxItem, selected: boolean, width: number): Line {
  const { symbol, style } = LOOKS[item.kind];
  const left = [
    span(selected ? "› " : "  ", "bold"),
    span(`${symbol} ${width < 60 ? "" : item.kind.padEnd(10)}`, style),
    span(`${String(item.id).padStart(4)}  `, "dim"),
  ];
  const used = left.reduce((sum, { text }) => sum + text.length, 0);
  const task = width < 60 ? `#${item.task}` : `#${item.task} ${cut(quoteLine(item.task_title, 1_000), 24)}`;
  const text = cut(quoteLine(item.text, 1_000), width - used - widthOf(task) - 2);
  return spread([...left, span(text, selected ? "bold" : undefined)], [span(task, "dim")], width);
}

/** What the selected item shows below its line. */
function ownLines(item: InboxItem, opened: boolean, width: number): Line[] {
  const choices = choicesOf(item).map(
    (choice, place): Line => [
      span(`${INDENT}${place < 9 ? place + 1 : " "} `, "bold"),
      span(quoteLine(choice, 1_000)),
      span(choice === item.preferred ? " (preferred)" : "", "green"),
    ],
  );
  const acts = actsOn(item).map(
    ({ key, label, effect }): Line => [
      span(`${INDENT}${key} `, "bold"),
      span(label),
      span(`: ${effect}`, "dim"),
    ],
  );
  const command: Line = [span(`${INDENT}${commandFor(item)}`, "dim")];
  const lines = opened ? [...details(item, width), ...choices, ...acts, command] : [...choices, command];
  return lines.map((line) => clip(line, width));
}

const INDENT = "      ";
/** So much of a gate's output is shown, its end. */
const OUTPUT_LINES = 40;

/** The text in full where its line cut it, where it comes from, and why. */
function details(item: InboxItem, width: number): Line[] {
  const room = Math.max(10, width - INDENT.length);
  const paragraph = (text: string, style?: Style) =>
    quoteText(text)
      .split("\n")
      .flatMap((line) => wrap(line, room))
      .map((line): Line => [span(`${INDENT}${line}`, style)]);
  const about = [
    item.of_kind,
    item.session === null ? null : `session ${item.session}`,
    item.other_task === null ? null : `task ${item.other_task}`,
    item.feature !== null && !item.feature_exists ? `feature ${item.feature}, which does not exist` : null,
  ].filter((part) => part !== null);
  const detail = quoteText(item.detail ?? "").trimEnd();
  const output = detail === "" ? [] : detail.split("\n").slice(-OUTPUT_LINES);
  return [
    ...paragraph(item.text),
    ...(about.length > 0 ? paragraph(about.join(" · "), "dim") : []),
    ...output.flatMap((line) => wrap(line, room)).map((line): Line => [span(INDENT), span(line, "cyan")]),
  ];
}
