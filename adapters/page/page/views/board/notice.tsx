import { useAct, useDisabledReason } from "../../acts.ts";
import { useKeys } from "../../keys.ts";
import { Notice } from "../../parts/notice.tsx";
import { createStore, useStore } from "../../store.ts";

/** The last action on the board, and the inbox item that undoes it. */
export const lastAction = createStore<{ readonly text: string; readonly undo?: number } | undefined>(
  undefined,
);

/** Reports an action that cannot be undone here. */
export function notify(text: string): void {
  lastAction.set({ text });
}

export function BoardNotice() {
  const done = useStore(lastAction);
  const { run, isBusy, problem } = useAct("undo");
  const disabledReason = useDisabledReason();
  const undo = async () => {
    if (done?.undo === undefined || disabledReason !== undefined) return;
    if (await run({ id: done.undo })) lastAction.set({ text: `Undone: ${done.text}` });
  };
  const onUndo = done?.undo === undefined ? undefined : undo;
  // Within the task pane the key undoes the last action there.
  const isInPane = () => document.activeElement?.closest(".task-pane") != null;
  useKeys("Board", onUndo ? [{ key: "z", does: "undo", run: onUndo }] : [], () => !isInPane());
  return (
    <Notice isBusy={isBusy} onUndo={onUndo}>
      {done?.text}
      {problem}
    </Notice>
  );
}
