import type { InboxLine } from "../../../server/answers/inbox.ts";
import { askServer } from "../../answers.ts";
import { handling, isUnhandled } from "../../parts/inbox-item/handling.ts";
import { type Kind, keyOf } from "../../parts/inbox-item/kinds.tsx";
import { createStore } from "../../store.ts";

/** The items that are marked to be acted on together, by their keys. */
export const marks = createStore<ReadonlyMap<string, Mark>>(new Map());

export type Mark = Pick<InboxLine, "id" | "kind" | "task">;

export function toggleMark(line: Mark): void {
  const next = new Map(marks.get());
  if (!next.delete(keyOf(line))) next.set(keyOf(line), line);
  marks.set(next);
}

/** Marks the first items of a kind, as many as one act may have; of those marked before only what is still there. */
export async function markAll(kind: Kind): Promise<void> {
  const { answer, position } = await askServer("inbox", { row: 0, limit: LIMIT, kind });
  const there = answer.lines.filter((line) => isUnhandled(line, handling.get(), position));
  const others = [...marks.get()].filter(([, mark]) => mark.kind !== kind);
  marks.set(new Map([...others, ...there.map((line) => [keyOf(line), line] as const)]));
}

/** Removes the marks that do not pass. */
export function keepMarks(test: (mark: Mark) => boolean): void {
  const kept = [...marks.get()].filter(([, mark]) => test(mark));
  if (kept.length < marks.get().size) marks.set(new Map(kept));
}

/** The server's limit. */
const LIMIT = 200;
