import type { TrackerAdapter } from "./adapter.ts";
import { type ItemAct, type Notice, shorten, visible } from "./core.ts";

/** A line that is ours alone. */
const word = (label: string) => label.replaceAll(" ", "-");

/** What an issue's readers are told of something that waits. */
export function itemComment(
  { subject, text, detail, options }: Notice,
  id: number,
  acts: readonly Pick<ItemAct, "label" | "needsText" | "needsOpen">[],
  prefix: TrackerAdapter["command"],
): string {
  const ways = acts
    .filter(({ needsOpen }) => !needsOpen)
    .map(({ label, needsText }) => `\`${prefix}${word(label)} ${id}${needsText ? " TEXT" : ""}\``);
  const whole = acts.filter(({ needsOpen }) => needsOpen).map(({ label }) => `${label} ${id}`);
  return [
    `**${subject}**`,
    fenced(text),
    ...(detail === null || detail.trim() === "" ? [] : [fenced(detail)]),
    ...(options.length > 0 ? ["Options:", fenced(options.map((option) => `- ${option}`).join("\n"))] : []),
    ...(ways.length > 0 ? [`To act on it, write a new comment that begins with ${ways.join(" or ")}.`] : []),
    ...(whole.length > 0
      ? [`To ${whole.join(" or ")}, see it whole in the panel or with \`signalbox inbox list\`.`]
      : []),
  ].join("\n\n");
}

/**
 * A text of others as a code block: nothing in it mentions, links, closes or ends the block, and no character in it is invisible.
 */
export function fenced(text: string): string {
  const lines = shorten(text, 8_000).split(/\r?\n/).map(visible);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join("\n");
}
