import { useAct, useWhyNoActs } from "../../acts.ts";
import { useKeys } from "../../keys.ts";
import { Notice } from "../../parts/notice.tsx";
import { createStore, useStore } from "../../store.ts";

/** The last action on the board, and the inbox item that undoes it. */
export const lastDone = createStore<{ readonly text: string; readonly undo?: number } | undefined>(undefined);

/** Reports an action that cannot be undone here. */
export function tell(text: string): void {
  lastDone.set({ text });
}

export function BoardNotice() {
  const done = useStore(lastDone);
  const { run, isBusy, problem } = useAct("undo");
  const whyNot = useWhyNoActs();
  const undo = async () => {
    if (done?.undo === undefined || whyNot !== undefined) return;
    if (await run({ id: done.undo })) lastDone.set({ text: `Undone: ${done.text}` });
  };
  const onUndo = done?.undo === undefined ? undefined : undo;
  useKeys("Board", onUndo ? [{ key: "z", does: "undo", run: onUndo }] : []);
  return (
    <Notice isBusy={isBusy} onUndo={onUndo}>
      {done?.text}
      {problem}
    </Notice>
  );
}
