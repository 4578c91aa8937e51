import { deniedWords } from "../../events/types/denied-words.ts";
import { quoteLine, quoteText } from "../../lib/terminal/output.ts";
import { visibleLines } from "../../lib/visible.ts";
import { actsOn } from "../../operations/inbox-acts.ts";
import { changeOf, commandFor } from "../../operations/inbox-hints.ts";
import { choicesOf } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { clip, type Line, type Style, span, wrap } from "./line.ts";

/**
 * What the selected item shows below its line, in at most `room` lines: its options and its command; opened, also its
 * whole text, where it comes from, why, and what its keys do.
 */
export function itemDetails(
  item: InboxItem,
  { opened, width, room }: { readonly opened: boolean; readonly width: number; readonly room: number },
): Line[] {
  const choices = choicesOf(item).map(
    (choice, place): Line => [
      span(`${INDENT}${place < 9 ? place + 1 : " "} `, "bold"),
      span(quoteLine(choice, LINE_LENGTH)),
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
  const byCommand: Line = [span(`${INDENT}${commandFor(item)}`, "dim")];
  const changed: Line[] = item.changed.length > 0 ? [[span(`${INDENT}${changeOf(item)}`, "yellow")]] : [];
  const end = [...changed, ...choices, ...(opened ? acts : []), byCommand];
  const start = opened ? textsOf(item, width, Math.max(0, room - end.length)) : [];
  return [...start, ...end].slice(0, Math.max(0, room)).map((line) => clip(line, width));
}

const INDENT = "      ";
/** So much of a gate's output is shown, its end. */
const OUTPUT_LINES = 40;
/** More of one line is not read on a terminal. */
const LINE_LENGTH = 2_000;

/** The item's own text and its detail; where they do not fit, each is cut, and the command named that prints them. */
function textsOf(item: InboxItem, width: number, room: number): Line[] {
  // What is run is shown as the shell reads it, each line of it.
  const isCommand = item.kind === "gate" || item.kind === "gate_approval";
  const whole = isCommand ? command(item.text, width) : paragraph(item.text, width);
  const text = [...whole, ...paragraph(originOf(item), width, "dim")];
  const lines = quoteText(item.detail ?? "")
    .trimEnd()
    .split("\n");
  // What a gate printed last tells why it failed; of a reason, the beginning.
  const isOutput = item.kind === "gate" || item.kind === "merge";
  const detail = paragraph((isOutput ? lines.slice(-OUTPUT_LINES) : lines).join("\n"), width, "cyan");
  if (text.length + detail.length <= room) return [...text, ...detail];
  const textRoom = Math.max(room - 1 - detail.length, Math.min(text.length, Math.ceil((room - 1) / 2)));
  const left = Math.max(0, room - 1 - Math.min(textRoom, text.length));
  const more: Line = [span(`${INDENT}… in full: signalbox inbox --json`, "dim")];
  const shown = isOutput ? detail.slice(detail.length - left) : detail.slice(0, left);
  return [...text.slice(0, Math.max(0, textRoom)), more, ...shown];
}

function paragraph(text: string, width: number, style?: Style): Line[] {
  if (text === "") return [];
  return quoteText(text)
    .split("\n")
    .flatMap((line) => wrap(line.slice(0, LINE_LENGTH), Math.max(10, width - INDENT.length)))
    .map((line): Line => [span(`${INDENT}${line}`, style)]);
}

/** Nothing of a command that a human decides on is cut that fits the screen. */
function command(text: string, width: number): Line[] {
  return visibleLines(text)
    .flatMap((line) => wrap(line, Math.max(10, width - INDENT.length)))
    .map((line): Line => [span(`${INDENT}${line}`)]);
}

function originOf({
  of_kind,
  session,
  other_task,
  feature,
  feature_exists,
  ended,
  denied,
}: InboxItem): string {
  return [
    of_kind,
    ended,
    session === null ? null : `session ${session}`,
    denied.length === 0 ? null : `denied: ${deniedWords(denied)}`,
    other_task === null ? null : `task ${other_task}`,
    feature !== null && !feature_exists ? `feature ${feature}, which does not exist` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
