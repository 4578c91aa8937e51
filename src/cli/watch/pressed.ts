import { isBlank } from "../../lib/blank.ts";
import { actsOn, type ItemAct } from "../../operations/inbox-acts.ts";
import { choicesOf, inboxKey } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import type { Key } from "./keys.ts";
import { withoutLast } from "./line.ts";
import {
  type DoneAct,
  keepingSelection,
  type Message,
  noticed,
  type Prompt,
  selectedItem,
  selecting,
  type WatchState,
  withDraft,
  withOverview,
} from "./state.ts";

/** What a key press asks for beyond another picture. */
export type Effect =
  | { readonly kind: "quit" }
  | { readonly kind: "suspend" }
  | { readonly kind: "repaint" }
  | { readonly kind: "act"; readonly item: InboxItem; readonly act: ItemAct; readonly text: string }
  | { readonly kind: "undo"; readonly done: DoneAct };

export interface Pressed {
  readonly state: WatchState;
  readonly effect?: Effect;
}

/** What a key press makes of the state. */
export function pressed(state: WatchState, key: Key): Pressed {
  if (key.name === "ctrl-c") return { state, effect: { kind: "quit" } };
  if (key.name === "ctrl-z") return { state, effect: { kind: "suspend" } };
  if (key.name === "ctrl-l") return { state, effect: { kind: "repaint" } };
  if (state.prompt) return inPrompt(state, state.prompt, key);
  const calm = { ...state, message: undefined };
  if (state.sheet) return key.name === "q" ? quit(calm) : { state: { ...calm, sheet: false } };
  return inList(calm, key);
}

/** An act was recorded, at a position: from there on the project says where the item is. */
export function acted(
  state: WatchState,
  { item, act }: { readonly item: InboxItem; readonly act: ItemAct },
  position: number,
  text: string,
): WatchState {
  return withOverview(
    {
      ...withDraft(state, item, ""),
      leaving: new Map([...state.leaving, [inboxKey(item), position]]),
      done: act.undoable ? [...state.done, { id: item.id, label: act.label }] : state.done,
      message: { tone: "good", text },
    },
    state.overview,
  );
}

/** An act was refused: the item is back in its place, with the reason. */
export function refused(state: WatchState, item: InboxItem, reason: string): WatchState {
  const leaving = new Map(state.leaving);
  leaving.delete(inboxKey(item));
  return keepingSelection({ ...state, leaving, message: { tone: "bad", text: reason } });
}

/** An act was undone, or cannot be: either way it is no longer the last one. */
export function undone(state: WatchState, done: DoneAct, message: Message): WatchState {
  return { ...state, done: state.done.filter((one) => one !== done), message };
}

function inList(state: WatchState, key: Key): Pressed {
  const step = STEPS[key.name];
  if (step !== undefined) return { state: noticed(selecting(state, state.index + step)) };
  switch (key.name) {
    case "q":
      return quit(state);
    case "?":
      return { state: { ...state, sheet: true } };
    case "escape":
      return { state: { ...state, opened: false } };
    case "z":
      return undoLast(state);
  }
  const item = selectedItem(state);
  if (!item) return { state };
  if (!state.slipped || !ON_ITEM.test(key.name)) return onItem(state, item, key);
  return saying(
    noticed(state),
    `The list has just changed: ${item.kind} ${item.id} is selected. Press again.`,
  );
}

/** Keys that may do something to the selected item. */
const ON_ITEM = /^([a-z1-9]|enter)$/;

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  pagedown: 10,
  pageup: -10,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
};

function quit(state: WatchState): Pressed {
  return { state, effect: { kind: "quit" } };
}

function undoLast(state: WatchState): Pressed {
  const done = state.done.at(-1);
  if (!done) return saying(state, "Nothing to undo.");
  return { state, effect: { kind: "undo", done } };
}

function onItem(state: WatchState, item: InboxItem, { name }: Key): Pressed {
  const acts = actsOn(item);
  const [first] = acts;
  if (name === "enter") {
    if (item.kind === "question" && first) return ask(state, item, first);
    return { state: { ...state, opened: !state.opened } };
  }
  const choice = /^[1-9]$/.test(name) ? choicesOf(item)[Number(name) - 1] : undefined;
  if (choice !== undefined && first) return send(state, item, first, choice);
  const act = acts.find((one) => one.key === name);
  if (act?.needsOpen && !state.opened) {
    return saying({ ...state, opened: true }, `Read to the end, then press ${name} again to ${act.label}.`);
  }
  if (act) return act.needsText ? ask(state, item, act) : send(state, item, act, "");
  if (!ON_ITEM.test(name)) return { state };
  return saying(state, `${name} does nothing here. Press ? for all keys.`);
}

function saying(state: WatchState, text: string): Pressed {
  return { state: { ...state, message: { tone: "plain", text } } };
}

/** Asks for the text of an act; what was begun before is there again. */
function ask(state: WatchState, item: InboxItem, act: ItemAct): Pressed {
  const text = state.drafts.get(inboxKey(item)) ?? "";
  return { state: { ...state, opened: true, prompt: { item, act, text, fresh: text === "" } } };
}

/** The item leaves the list at once; it comes back if the act is refused. */
function send(state: WatchState, item: InboxItem, act: ItemAct, text: string): Pressed {
  const leaving = new Map([...state.leaving, [inboxKey(item), Number.POSITIVE_INFINITY]]);
  return {
    state: keepingSelection({ ...state, leaving, prompt: undefined }),
    effect: { kind: "act", item, act, text },
  };
}

function inPrompt(state: WatchState, prompt: Prompt, key: Key): Pressed {
  const writing = (text: string): Pressed => ({
    state: { ...state, message: undefined, prompt: { ...prompt, text: text.slice(0, 10_000), fresh: false } },
  });
  switch (key.name) {
    case "escape":
      return { state: { ...withDraft(state, prompt.item, prompt.text), prompt: undefined } };
    case "enter":
      if (isBlank(prompt.text)) return saying(state, "Type something first. Esc closes.");
      // The draft stays until the act is recorded: a refusal must not lose it.
      return send(withDraft(state, prompt.item, prompt.text), prompt.item, prompt.act, prompt.text.trim());
    case "backspace":
      return writing(withoutLast(prompt.text));
    case "ctrl-u":
      return writing("");
    case "paste":
      return writing(prompt.text + (key.text ?? "").replaceAll(/\s*[\r\n]+\s*/g, " "));
  }
  if ([...key.name].length !== 1) return { state };
  const choice =
    prompt.fresh && /^[1-9]$/.test(key.name) ? choicesOf(prompt.item)[Number(key.name) - 1] : undefined;
  return writing(choice ?? prompt.text + key.name);
}
