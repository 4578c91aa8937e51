import type { AnswerOf } from "../../../server/answers/index.ts";
import { useStore } from "../../store.ts";
import {
  handling,
  lastUnconfirmed,
  notify,
  notifyIrrevocable,
  undoAction,
  withoutUndone,
} from "./handling.ts";
import { keyOf } from "./kinds.tsx";

/**
 * Undoing recent actions, with a button each and with one key for the last one.
 *
 * @param at the position of these actions
 * @param onUndone is told the key of an item that waits again
 */
export function useUndo(undoable: AnswerOf<"undoable">, at: number, onUndone: (key: string) => void) {
  const state = useStore(handling);

  async function undo(act: Parameters<typeof undoAction>[0]): Promise<void> {
    if (await undoAction(act)) onUndone(keyOf(act));
  }

  function undoLast(): void {
    const now = handling.get();
    const last =
      lastUnconfirmed(now, at) ?? withoutUndone(undoable, now, at).find(({ read_by }) => read_by === null);
    if (now.irrevocable) notifyIrrevocable(now.irrevocable);
    else if (last) void undo(last);
    else notify("Nothing to undo.");
  }

  const key = {
    key: "z",
    does: "undo the last action",
    run: ({ repeat }: KeyboardEvent) => {
      if (!repeat) undoLast();
    },
  };
  return {
    acts: withoutUndone(undoable, state, at),
    undo: (act: Parameters<typeof undo>[0]) => void undo(act),
    key,
  };
}
