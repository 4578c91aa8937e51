import type { AnswerOf } from "../../../server/answers/index.ts";
import { act } from "../../acts.ts";
import { askServer, refreshPresent } from "../../answers.ts";
import { errorMessage } from "../../core.ts";
import { forgetDraft } from "../../drafts.ts";
import { newKey } from "../../new-key.ts";
import { isRefused } from "../../request.ts";
import { createStore } from "../../store.ts";
import { countOf, type Kind, keyOf, wordOf } from "./kinds.tsx";

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
  /** The ids of the other items of the same action, which are undone with it. */
  readonly others: readonly number[];
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

/**
 * Acts on an item, or on several of its kind by one action. They leave the list at once, and return
 * if the action is refused.
 */
export function handle(
  item: Pick<WholeItem, "id" | "kind" | "task">,
  offered: OfferedAct,
  text = "",
  others: readonly Pick<WholeItem, "id" | "task">[] = [],
): void {
  const { id, kind, task } = item;
  const key = keyOf(item);
  const all = keysOf(item, others);
  const known = JSON.stringify([key, offered.label, text, ...all]);
  const idempotency = keys.get(known) ?? newKey();
  keys.set(known, idempotency);
  const input = {
    id,
    kind,
    task,
    act: offered.label,
    ...(text !== "" && { text }),
    ...(others.length > 0 && { others: [...others] }),
  };
  const sent = act("inbox", input, idempotency).then(
    ({ position }) => {
      keys.delete(known);
      forgetDraft(key, text);
      change(({ leaving }) => ({
        leaving: moved(leaving, all, position),
        announcement: announcementOf(offered, kind, all.length),
      }));
      return position;
    },
    (error: unknown) => {
      const isKnown = isRefused(error);
      if (isKnown) keys.delete(known);
      const why = isKnown ? error.message : OUTCOME_UNKNOWN;
      change(({ leaving, refused, irrevocable }) => ({
        leaving: without(leaving, all),
        refused: new Map([...refused, ...all.map((one) => [one, why] as const)]),
        notice: why,
        irrevocable: irrevocable === offered ? undefined : irrevocable,
      }));
      refreshPresent();
      if (isKnown) void notifyAlreadyHandled(item);
      return undefined;
    },
  );
  const leaving: Leaving = {
    ...{ id, kind, others: others.map((other) => other.id), act: offered, sent },
    position: Number.POSITIVE_INFINITY,
  };
  change((now) => ({
    leaving: new Map([...now.leaving, ...all.map((one) => [one, leaving] as const)]),
    refused: without(now.refused, all),
    undone: without(now.undone, all),
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

/** Undoes the action on an item and its others. @returns false if that was refused; the notice then says why */
export async function undoAction({
  kind,
  id,
  others,
}: Pick<Leaving, "kind" | "id" | "others">): Promise<boolean> {
  const key = keyOf({ kind, id });
  const all = keysOf(
    { kind, id },
    others.map((other) => ({ id: other })),
  );
  const goes = (until: number) =>
    change(({ undone }) => ({ undone: new Map([...undone, ...all.map((one) => [one, until] as const)]) }));
  goes(Number.POSITIVE_INFINITY);
  try {
    await handling.get().leaving.get(key)?.sent;
    const { position } = await act("undo", { id, ...(others.length > 0 && { others: [...others] }) });
    // The next action on the item is a new one, and needs a new key.
    for (const known of keys.keys()) if (all.includes(JSON.parse(known)[0])) keys.delete(known);
    goes(position);
    change(({ leaving }) => ({
      leaving: without(leaving, all),
      announcement:
        all.length === 1
          ? `Undone: the ${wordOf(kind)} is waiting for you again.`
          : `Undone: ${countOf(kind, all.length)} are waiting for you again.`,
    }));
    return true;
  } catch (error) {
    const why = errorMessage(error);
    change(({ undone }) => ({ notice: why, undone: without(undone, all) }));
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

function announcementOf({ label }: OfferedAct, kind: Kind, items: number): string {
  return `Recorded: ${label}, ${items === 1 ? wordOf(kind) : countOf(kind, items)}.`;
}

function keysOf(
  { kind, id }: { readonly kind: Kind; readonly id: number },
  others: readonly { readonly id: number }[],
): string[] {
  return [{ id }, ...others].map((one) => keyOf({ kind, id: one.id }));
}

function change(next: (now: Handling) => Partial<Handling>): void {
  const now = handling.get();
  handling.set({ ...now, ...next(now) });
}

function moved(leaving: Handling["leaving"], keys: readonly string[], position: number): Handling["leaving"] {
  return new Map(
    [...leaving].map(([key, entry]) => [key, keys.includes(key) ? { ...entry, position } : entry]),
  );
}

function without<Value>(
  map: ReadonlyMap<string, Value>,
  keys: readonly string[],
): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([key]) => !keys.includes(key)));
}
