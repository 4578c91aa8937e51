import { cut, widthOf } from "../../lib/terminal/columns.ts";
import { quoteLine } from "../../lib/terminal/output.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { itemDetails } from "./item-details.ts";
import { type Line, lineWidth, type Span, type Style, span, spread } from "./line.ts";

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
    const nothing: Line = [span("Nothing needs you.", "dim")];
    return [spread([span("Inbox 0", "bold")], command, width), nothing].slice(0, room);
  }
  const below = room - 1;
  const own = items[index] ? itemDetails(items[index], { opened, width, room: below - 1 }) : [];
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

interface Look {
  readonly symbol: string;
  readonly style: Style;
  /** Absent: the kind itself. */
  readonly word?: string;
}

const LOOKS: Readonly<Record<InboxItem["kind"], Look>> = {
  gate_approval: { symbol: "$", style: "yellow", word: "approval" },
  gate: { symbol: "!", style: "red" },
  question: { symbol: "?", style: "yellow" },
  blocker: { symbol: "■", style: "red" },
  contest: { symbol: "≠", style: "magenta" },
  plan: { symbol: "⊞", style: "blue" },
  proposal: { symbol: "+", style: "blue" },
  stall: { symbol: "↻", style: "red" },
  setup: { symbol: "⚙", style: "red" },
  hold: { symbol: "=", style: "yellow" },
  flag: { symbol: "⚑", style: "yellow" },
  merge: { symbol: "⋈", style: "magenta" },
  acceptance: { symbol: "✓", style: "green" },
};

function itemLine(item: InboxItem, selected: boolean, width: number): Line {
  const { symbol, style, word = item.kind } = LOOKS[item.kind];
  const left = [
    span(selected ? "› " : "  ", "bold"),
    span(`${symbol} ${width < WITH_KIND ? "" : word.padEnd(10)}`, style),
    span(`${String(item.id).padStart(4)}  `, "dim"),
  ];
  const used = lineWidth(left);
  const whole = quoteLine(item.text, 1_000);
  // The text goes before the task's title, which shows in what is left over.
  const over = width - used - widthOf(whole) - String(item.task ?? "").length - 5;
  const title = over < 8 ? "" : ` ${cut(quoteLine(item.task_title, 1_000), Math.min(24, over))}`;
  const task = item.task === null ? `plan-${item.plan}` : `#${item.task}${title}`;
  const text = cut(whole, width - used - widthOf(task) - 2);
  return spread([...left, span(text, selected ? "bold" : undefined)], [span(task, "dim")], width);
}

/** From so many columns on the kind is said in a word too. */
const WITH_KIND = 40;
