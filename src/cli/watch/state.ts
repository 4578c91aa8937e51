import type { ItemAct } from "../../operations/inbox-acts.ts";
import { inboxKey } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import type { SeenOverview } from "./live.ts";

/** What is shown, and what the human is about to do. */
export interface WatchState {
  readonly overview: SeenOverview;
  /** The selected item's key; it stays selected while others come and go. */
  readonly selected: string | undefined;
  /** Its place in the list: where it leaves, the next one takes it. */
  readonly index: number;
  /** True for a moment after somebody else's act put another item under the human's hand: a key is not for that one. */
  readonly slipped: boolean;
  /** True while the selected item is shown with all that belongs to it. */
  readonly opened: boolean;
  /** True while the sheet of all keys is shown. */
  readonly sheet: boolean;
  readonly prompt: Prompt | undefined;
  /** Texts that were begun, by item; kept until they are sent. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Items that were acted on, with the position of the act, once it is known: out of the list until it is shown. */
  readonly leaving: ReadonlyMap<string, number>;
  /** Acts in this view that can be undone, the newest last. */
  readonly done: readonly DoneAct[];
  readonly message: Message | undefined;
}

/** A text that is being written for an act on an item. */
export interface Prompt {
  readonly item: InboxItem;
  readonly act: ItemAct;
  readonly text: string;
  /** True until a key has changed the text: a digit then chooses an option. */
  readonly fresh: boolean;
}

export interface DoneAct {
  readonly id: number;
  /** Such as `answer`. */
  readonly label: string;
}

export interface Message {
  readonly text: string;
  readonly tone: "good" | "bad" | "plain";
}

export function initialState(overview: SeenOverview): WatchState {
  return selecting(
    {
      overview,
      selected: undefined,
      index: 0,
      slipped: false,
      opened: false,
      sheet: false,
      prompt: undefined,
      drafts: new Map(),
      leaving: new Map(),
      done: [],
      message: undefined,
    },
    0,
  );
}

/** The items as they are listed. */
export function itemsOf({ overview, leaving }: Pick<WatchState, "overview" | "leaving">): InboxItem[] {
  return overview.inbox.filter((item) => !leaving.has(inboxKey(item)));
}

export function selectedItem(state: WatchState): InboxItem | undefined {
  return itemsOf(state).find((item) => inboxKey(item) === state.selected);
}

/** The state with the item at a place of the list selected, or the last one. */
export function selecting(state: WatchState, place: number): WatchState {
  const items = itemsOf(state);
  const index = Math.max(0, Math.min(place, items.length - 1));
  const item = items[index];
  const selected = item && inboxKey(item);
  return { ...state, selected, index, opened: state.opened && selected === state.selected };
}

/** The state with what the project is like now. Selection and drafts stay with their items. */
export function withOverview(state: WatchState, overview: SeenOverview): WatchState {
  // Of two looks at the project, the one that began first may be the last to come.
  if (overview.position < state.overview.position) return state;
  const leaving = new Map([...state.leaving].filter(([, position]) => position > overview.position));
  const shown = keepingSelection(withoutLostPrompt({ ...state, overview, leaving }));
  const slipped = state.selected !== undefined && shown.selected !== state.selected;
  return slipped ? { ...shown, slipped: true } : shown;
}

/** The human has had time to see what is selected now. */
export function noticed(state: WatchState): WatchState {
  return state.slipped ? { ...state, slipped: false } : state;
}

/** The selected item, wherever it is now; where it left, the one that took its place. */
export function keepingSelection(state: WatchState): WatchState {
  const at = itemsOf(state).findIndex((item) => inboxKey(item) === state.selected);
  return at >= 0 ? { ...state, index: at } : selecting(state, state.index);
}

/** Somebody else dealt with the item that is written about. */
function withoutLostPrompt(state: WatchState): WatchState {
  const { prompt } = state;
  if (!prompt || itemsOf(state).some((item) => inboxKey(item) === inboxKey(prompt.item))) return state;
  return {
    ...withDraft(state, prompt.item, prompt.text),
    prompt: undefined,
    message: {
      tone: "bad",
      text: `${prompt.item.kind} ${prompt.item.id} has left the inbox: signalbox task show ${prompt.item.task}`,
    },
  };
}

export function withDraft(state: WatchState, item: InboxItem, text: string): WatchState {
  const drafts = new Map(state.drafts);
  if (text === "") drafts.delete(inboxKey(item));
  else drafts.set(inboxKey(item), text);
  return { ...state, drafts };
}
