import { act } from "../../acts.ts";
import { askServer } from "../../answers.ts";
import { errorMessage, isBlank, type LearningMark, turns } from "../../core.ts";
import { draftOf, forgetDraft } from "../../drafts.ts";
import { createStore } from "../../store.ts";

/** A mark that this page has set, and the learning's previous mark. */
interface Marking {
  readonly learning: number;
  readonly was: LearningMark;
  readonly reason: string | null;
  /** The position of its event. */
  readonly position: number;
}

/** The marks that this page has set and not undone, the latest last; and the last message. */
export const marking = createStore<{ readonly done: readonly Marking[]; readonly said: string | undefined }>({
  done: [],
  said: undefined,
});

/** The draft in which the reason for a mark is kept. */
export function reasonFor(learning: number): string {
  return `learning-${learning}`;
}

/** Pins a learning, retires it or removes its mark, with the reason in the draft. */
export function setMark(learning: number, mark: LearningMark): void {
  enqueue(async () => {
    const reason = draftOf(reasonFor(learning)).trim();
    const before = await lookUp(learning);
    const { position } = await act("mark_learning", { learning, mark, ...(!isBlank(reason) && { reason }) });
    forgetDraft(reasonFor(learning), reason);
    const set = { learning, was: before?.mark ?? "none", reason: before?.mark_reason ?? null, position };
    marking.set({
      done: [...marking.get().done, set],
      said: `Learning #${learning} is now ${inWords(mark)}.`,
    });
  });
}

/** Undoes this page's last mark, unless the learning was marked again since. */
export function undoLastMark(): void {
  enqueue(async () => {
    const { done } = marking.get();
    const last = done.at(-1);
    if (!last) return say("Nothing to undo on this page.");
    const { learning, was, reason, position } = last;
    const now = await lookUp(learning);
    if (now?.marked_at !== position) {
      const why = now ? `was changed since and is now ${inWords(now.mark)}` : "no longer exists";
      return marking.set({ done: done.slice(0, -1), said: `Not undone: learning #${learning} ${why}.` });
    }
    await act("mark_learning", { learning, mark: was, ...(reason !== null && { reason }) });
    marking.set({
      done: done.slice(0, -1),
      said: `Undone: learning #${learning} is ${inWords(was)} again.`,
    });
  });
}

export function say(said: string): void {
  marking.set({ ...marking.get(), said });
}

/** A queue: a mark must be recorded before it can be undone. */
const turn = turns();

function enqueue(mark: () => Promise<void>): void {
  turn(mark).catch((error: unknown) => say(errorMessage(error)));
}

async function lookUp(learning: number) {
  return (await askServer("learning", { id: learning })).answer;
}

function inWords(mark: LearningMark): string {
  return mark === "none" ? "unmarked" : mark;
}
