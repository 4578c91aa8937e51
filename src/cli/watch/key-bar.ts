import { widthOf } from "../../lib/terminal/columns.ts";
import { actsOn } from "../../operations/inbox-acts.ts";
import { choicesOf, inboxKey } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { type Line, type Span, span } from "./line.ts";
import { selectedItem, type WatchState } from "./state.ts";

/** The keys for what is selected, each with what it does next; what does not fit is left to the sheet. */
export function keyBar(state: WatchState, width: number): Line {
  const line: Span[] = [];
  let used = 0;
  for (const [key, does] of keysOf(state)) {
    const text = `${key} ${does}`;
    const gap = used === 0 ? 0 : 3;
    if (used + gap + widthOf(text) > width) continue;
    if (gap > 0) line.push(span(" · ", "dim"));
    line.push(span(key, "bold"), span(` ${does}`));
    used += gap + widthOf(text);
  }
  return line;
}

function keysOf(state: WatchState): readonly (readonly [key: string, does: string])[] {
  const { prompt, sheet, done, drafts } = state;
  if (sheet) {
    return [
      ["?", "back"],
      ["q", "quit"],
    ];
  }
  if (prompt) {
    return [
      ...(prompt.fresh ? choiceKeys(prompt.item) : []),
      ["Enter", prompt.act.label],
      ["Esc", "close, keep the draft"],
      ["Ctrl-U", "clear"],
    ];
  }
  const item = selectedItem(state);
  const last = done.at(-1);
  return [
    ...(item ? choiceKeys(item) : []),
    ...(item ? actsOn(item) : []).map(({ key, label, needsText }) => {
      const begun = needsText && item && drafts.has(inboxKey(item));
      return [key, begun ? `${label} (draft)` : label] as const;
    }),
    ["?", "keys"],
    ["q", "quit"],
    ...(last ? [["z", `undo ${last.label} ${last.id}`] as const] : []),
    ...(item ? [["j k", "move"] as const] : []),
    ...(item && item.kind !== "question" ? [["Enter", state.opened ? "close" : "open"] as const] : []),
  ];
}

function choiceKeys(item: InboxItem): readonly (readonly [key: string, does: string])[] {
  const choices = Math.min(9, choicesOf(item).length);
  return choices === 0 ? [] : [[choices > 1 ? `1…${choices}` : "1", "choose"]];
}
