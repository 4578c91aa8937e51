import { visible } from "../events/visible.ts";
import { shorten } from "../lib/shorten.ts";
import type { Notice } from "../notices/channel.ts";
import type { TrackerAdapter } from "./adapter.ts";

/** A line that is ours alone. */
const word = (label: string) => label.replaceAll(" ", "-");

/** What an issue's readers are told of something that waits. */
export function itemComment(
  { subject, text, detail, options }: Notice,
  id: number,
  acts: readonly { label: string; needsText: boolean }[],
  prefix: TrackerAdapter["command"],
): string {
  const ways = acts.map(
    ({ label, needsText }) => `\`${prefix}${word(label)} ${id}${needsText ? " TEXT" : ""}\``,
  );
  return [
    `**${subject}**`,
    fenced(text),
    ...(detail === null || detail.trim() === "" ? [] : [fenced(detail)]),
    ...(options.length > 0 ? ["Options:", fenced(options.map((option) => `- ${option}`).join("\n"))] : []),
    ways.length > 0
      ? `To act on it, write a new comment that begins with ${ways.join(" or ")}.`
      : "It must be seen whole: act on it in the panel or on the command line (`signalbox inbox list`).",
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
