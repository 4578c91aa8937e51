import { useEffect } from "preact/hooks";
import type { AnswerOf } from "../server/answers/index.ts";
import { useFixed } from "./answers.ts";
import { createStore, useStore } from "./store.ts";

/** The shown position of the past, and what its event changed; undefined in the present. */
const shown = createStore<Shown | undefined>(undefined);

interface Shown {
  readonly at: number;
  readonly changed: NonNullable<AnswerOf<"position">>["changed"] | undefined;
}

/** What the event at the shown position of the past changed; nothing in the present. */
export function useChanged() {
  const { at, changed } = useStore(shown) ?? {};
  const mark = (isChanged: boolean | undefined) => (isChanged ? "" : undefined);
  return {
    /** Values of the attribute `data-changed`. */
    task: (id: number) => mark(changed?.tasks.includes(id)),
    session: (id: string) => mark(changed?.sessions.includes(id)),
    learning: (id: number) => mark(changed?.learnings.includes(id)),
    event: (position: number) => mark(position === at),
  };
}

/** The event at a position of the past; what it changed is marked while this is used, once for the whole page. */
export function useEventOfPast(at: number) {
  const { answer, isOld } = useFixed("position", { position: at });
  const event = isOld ? undefined : answer;
  useEffect(() => shown.set({ at, changed: event?.changed }), [at, event]);
  useEffect(() => () => shown.set(undefined), []);
  return event;
}
