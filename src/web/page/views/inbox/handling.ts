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

/** What this page has done that the log does not show it yet, and what was refused. */
export interface Handling {
  /** Items that were acted on, by their keys: out of the list until the log shows the act. */
  readonly leaving: ReadonlyMap<string, Leaving>;
  /** Why an act on an item was not taken, by its key. */
  readonly refused: ReadonlyMap<string, string>;
  /** For those who do not see the list change. */
  readonly said: string;
  /** What a person must be told who has gone on to something else. */
  readonly notice: string | undefined;
  /** What was done last on this page, where it cannot be taken back and nobody has said so yet. */
  readonly irrevocable: OfferedAct | undefined;
  /** Items whose acts this page takes back, by their keys, and from where on the log shows that. */
  readonly takenBack: ReadonlyMap<string, number>;
}

interface Leaving {
  readonly id: number;
  readonly kind: Kind;
  readonly act: OfferedAct;
  /** Where the act was recorded; undefined where it was not. */
  readonly sent: Promise<number | undefined>;
  /** From there on the log says where the item is. */
  readonly position: number;
}

export const handling = createStore<Handling>({
  leaving: new Map(),
  refused: new Map(),
  said: "",
  notice: undefined,
  irrevocable: undefined,
  takenBack: new Map(),
});

/** An act that nobody knows the fate of keeps its key, under which it is recorded once however often it is sent. */
const keys = new Map<string, string>();

/** Does something with an item, which leaves the list at once, and comes back if that is refused. */
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
      change(({ leaving }) => ({ leaving: moved(leaving, key, position), said: saidOf(offered, kind) }));
      return position;
    },
    (error: unknown) => {
      const isKnown = isRefused(error);
      if (isKnown) keys.delete(known);
      const why = isKnown ? error.message : UNKNOWN_FATE;
      change(({ leaving, refused, irrevocable }) => ({
        leaving: without(leaving, key),
        refused: new Map(refused).set(key, why),
        notice: why,
        irrevocable: irrevocable === offered ? undefined : irrevocable,
      }));
      refreshPresent();
      if (isKnown) void tellWhoWasFirst(item);
      return undefined;
    },
  );
  const leaving: Leaving = { id, kind, act: offered, sent, position: Number.POSITIVE_INFINITY };
  change((now) => ({
    leaving: new Map(now.leaving).set(key, leaving),
    refused: without(now.refused, key),
    takenBack: without(now.takenBack, key),
    said: "",
    irrevocable: offered.undoable ? undefined : offered,
  }));
}

/** An act is mostly refused because somebody else has acted. */
async function tellWhoWasFirst({ kind, id }: Pick<WholeItem, "id" | "kind">): Promise<void> {
  const asked = await askServer("inbox_item", { kind, id }).catch(() => undefined);
  const became = asked?.answer.became;
  if (became)
    notify(`The ${wordOf(kind)} was already ${became.word} by ${became.actor} (#${became.position}).`);
}

/** Takes back what was done with an item. @returns false where that was refused, which the notice says */
export async function takeBack({ kind, id }: { readonly kind: Kind; readonly id: number }): Promise<boolean> {
  const key = keyOf({ kind, id });
  const goes = (until: number) =>
    change(({ takenBack }) => ({ takenBack: new Map(takenBack).set(key, until) }));
  goes(Number.POSITIVE_INFINITY);
  try {
    await handling.get().leaving.get(key)?.sent;
    const { position } = await act("undo", { id });
    // What is done once more is another act, also where nobody knew the fate of the first.
    for (const known of keys.keys()) if (JSON.parse(known)[0] === key) keys.delete(known);
    goes(position);
    change(({ leaving }) => ({
      leaving: without(leaving, key),
      said: `Undone: the ${wordOf(kind)} is waiting for you again.`,
    }));
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    change(({ takenBack }) => ({ notice: why, takenBack: without(takenBack, key) }));
    refreshPresent();
    return false;
  }
}

/** Says that what was done last cannot be taken back, once: who asks again means what was done before. */
export function tellIrrevocable({ label }: OfferedAct): void {
  change(() => ({ notice: `“${label}” cannot be undone.`, irrevocable: undefined }));
}

export function notify(notice: string | undefined): void {
  change(() => ({ notice }));
}

/** Whether the log did not show at this position that the act on an item is taken back, as this page does or has done. */
function isTakenBack(
  { takenBack }: Handling,
  item: { readonly kind: Kind; readonly id: number },
  position: number,
): boolean {
  return (takenBack.get(keyOf(item)) ?? 0) > position;
}

/** The act of this page that came last of those that can be taken back, if the log did not show it at this position. */
export function lastUnseen(state: Handling, position: number): Leaving | undefined {
  return [...state.leaving.values()]
    .filter((one) => one.act.undoable && one.position > position && !isTakenBack(state, one, position))
    .at(-1);
}

/** What the log at this position has as done, but for what this page takes back. */
export function stillDone<Act extends { readonly kind: Kind; readonly id: number }>(
  acts: readonly Act[],
  state: Handling,
  position: number,
): Act[] {
  return acts.filter((act) => !isTakenBack(state, act, position));
}

/** Whether an item that waits at this position is still to be dealt with, as far as this page knows. */
export function isStillThere(
  item: { readonly kind: Kind; readonly id: number },
  { leaving }: Handling,
  position: number,
): boolean {
  return (leaving.get(keyOf(item))?.position ?? 0) <= position;
}

const UNKNOWN_FATE =
  "The server did not answer, so this may or may not be recorded. Try again: it is recorded only once.";

function saidOf({ label }: OfferedAct, kind: Kind): string {
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
