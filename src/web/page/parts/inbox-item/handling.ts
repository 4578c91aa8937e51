import type { AnswerOf } from "../../../server/answers/index.ts";
import { act } from "../../acts.ts";
import { askServer, refreshPresent } from "../../answers.ts";
import { forgetDraft } from "../../drafts.ts";
import { newKey } from "../../new-key.ts";
import { isRefused } from "../../request.ts";
import { createStore } from "../../store.ts";
import { type Kind, keyOf, wordOf } from "./kinds.tsx";

export type WholeItem = NonNullable<AnswerOf<"inbox_item">["item"]>;
export type OfferedAct = WholeItem["acts"][number];

/** The actions of this page: unconfirmed ones, refused ones and undone ones. */
export interface Handling {
  /** Handled items by key: hidden from the list until the log confirms the action. */
  readonly leaving: ReadonlyMap<string, Leaving>;
  /** Why an action was refused, by the item's key. */
  readonly refused: ReadonlyMap<string, string>;
  /** The announcement for screen readers. */
  readonly announcement: string;
  /** A message about an item that is no longer selected. */
  readonly notice: string | undefined;
  /** The last action, if it cannot be undone and the page has not said so yet. */
  readonly irrevocable: OfferedAct | undefined;
  /** Undone items by key, with the position from which the log confirms it. */
  readonly undone: ReadonlyMap<string, number>;
}

interface Leaving {
  readonly id: number;
  readonly kind: Kind;
  readonly act: OfferedAct;
  /** The position of the action's event; undefined if it was refused. */
  readonly sent: Promise<number | undefined>;
  /** The same, once known; infinite until then. */
  readonly position: number;
}

export const handling = createStore<Handling>({
  leaving: new Map(),
  refused: new Map(),
  announcement: "",
  notice: undefined,
  irrevocable: undefined,
  undone: new Map(),
});

/** Idempotency keys of actions whose outcome is unknown: a retry is recorded once. */
const keys = new Map<string, string>();

/** Acts on an item. It leaves the list at once, and returns if the action is refused. */
export function handle(item: Pick<WholeItem, "id" | "kind" | "task">, offered: OfferedAct, text = ""): void {
  const { id, kind, task } = item;
  const key = keyOf(item);
  const known = JSON.stringify([key, offered.label, text]);
  const idempotency = keys.get(known) ?? newKey();
  keys.set(known, idempotency);
  const input = { id, kind, task, act: offered.label, ...(text !== "" && { text }) };
  const sent = act("inbox", input, idempotency).then(
    ({ position }) => {
      keys.delete(known);
      forgetDraft(key, text);
      change(({ leaving }) => ({
        leaving: moved(leaving, key, position),
        announcement: announcementOf(offered, kind),
      }));
      return position;
    },
    (error: unknown) => {
      const isKnown = isRefused(error);
      if (isKnown) keys.delete(known);
      const why = isKnown ? error.message : OUTCOME_UNKNOWN;
      change(({ leaving, refused, irrevocable }) => ({
        leaving: without(leaving, key),
        refused: new Map(refused).set(key, why),
        notice: why,
        irrevocable: irrevocable === offered ? undefined : irrevocable,
      }));
      refreshPresent();
      if (isKnown) void notifyAlreadyHandled(item);
      return undefined;
    },
  );
  const leaving: Leaving = { id, kind, act: offered, sent, position: Number.POSITIVE_INFINITY };
  change((now) => ({
    leaving: new Map(now.leaving).set(key, leaving),
    refused: without(now.refused, key),
    undone: without(now.undone, key),
    announcement: "",
    irrevocable: offered.undoable ? undefined : offered,
  }));
}

/** An action is usually refused because someone else was faster. */
async function notifyAlreadyHandled({ kind, id }: Pick<WholeItem, "id" | "kind">): Promise<void> {
  const asked = await askServer("inbox_item", { kind, id }).catch(() => undefined);
  const became = asked?.answer.became;
  if (became)
    notify(`The ${wordOf(kind)} was already ${became.word} by ${became.actor} (#${became.position}).`);
}

/** Undoes the action on an item. @returns false if that was refused; the notice then says why */
export async function undoAction({
  kind,
  id,
}: {
  readonly kind: Kind;
  readonly id: number;
}): Promise<boolean> {
  const key = keyOf({ kind, id });
  const goes = (until: number) => change(({ undone }) => ({ undone: new Map(undone).set(key, until) }));
  goes(Number.POSITIVE_INFINITY);
  try {
    await handling.get().leaving.get(key)?.sent;
    const { position } = await act("undo", { id });
    // The next action on the item is a new one, and needs a new key.
    for (const known of keys.keys()) if (JSON.parse(known)[0] === key) keys.delete(known);
    goes(position);
    change(({ leaving }) => ({
      leaving: without(leaving, key),
      announcement: `Undone: the ${wordOf(kind)} is waiting for you again.`,
    }));
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    change(({ undone }) => ({ notice: why, undone: without(undone, key) }));
    refreshPresent();
    return false;
  }
}

/** Says once that the last action cannot be undone; a second undo means the action before it. */
export function notifyIrrevocable({ label }: OfferedAct): void {
  change(() => ({ notice: `“${label}” cannot be undone.`, irrevocable: undefined }));
}

export function notify(notice: string | undefined): void {
  change(() => ({ notice }));
}

/** True if this page undid the action on an item and the log at this position does not show it yet. */
function isUndone(
  { undone }: Handling,
  item: { readonly kind: Kind; readonly id: number },
  position: number,
): boolean {
  return (undone.get(keyOf(item)) ?? 0) > position;
}

/** The page's last undoable action that the log at this position does not show yet. */
export function lastUnconfirmed(state: Handling, position: number): Leaving | undefined {
  return [...state.leaving.values()]
    .filter((one) => one.act.undoable && one.position > position && !isUndone(state, one, position))
    .at(-1);
}

/** The actions in the log at this position, without those that this page undoes. */
export function withoutUndone<Act extends { readonly kind: Kind; readonly id: number }>(
  acts: readonly Act[],
  state: Handling,
  position: number,
): Act[] {
  return acts.filter((act) => !isUndone(state, act, position));
}

/** False for an item in the log at this position that this page has handled since. */
export function isUnhandled(
  item: { readonly kind: Kind; readonly id: number },
  { leaving }: Handling,
  position: number,
): boolean {
  return (leaving.get(keyOf(item))?.position ?? 0) <= position;
}

const OUTCOME_UNKNOWN =
  "The server did not answer, so this may or may not be recorded. Try again: it is recorded only once.";

function announcementOf({ label }: OfferedAct, kind: Kind): string {
  return `Recorded: ${label}, ${wordOf(kind)}.`;
}

function change(next: (now: Handling) => Partial<Handling>): void {
  const now = handling.get();
  handling.set({ ...now, ...next(now) });
}

function moved(leaving: Handling["leaving"], key: string, position: number): Handling["leaving"] {
  const entry = leaving.get(key);
  return entry ? new Map(leaving).set(key, { ...entry, position }) : leaving;
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
