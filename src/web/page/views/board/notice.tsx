import { useAct, useWhyNoActs } from "../../acts.ts";
import { useKeys } from "../../keys.ts";
import { createStore, useStore } from "../../store.ts";

/** What was done on the board last, and the item of the inbox by which it can be taken back. */
export const lastDone = createStore<{ readonly text: string; readonly undo?: number } | undefined>(undefined);

/** Says what was done, where it cannot be taken back here. */
export function tell(text: string): void {
  lastDone.set({ text });
}

export function Notice() {
  const done = useStore(lastDone);
  const { run, isBusy, problem } = useAct("undo");
  const whyNot = useWhyNoActs();
  const undo = async () => {
    if (done?.undo === undefined || whyNot !== undefined) return;
    if (await run({ id: done.undo })) lastDone.set({ text: `Taken back: ${done.text}` });
  };
  useKeys("Board", done?.undo === undefined ? [] : [{ key: "z", does: "take back", run: undo }]);
  return (
    <p class="board-notice" role="status">
      {done?.text}
      {done?.undo !== undefined && (
        <button type="button" onClick={undo} disabled={isBusy || whyNot !== undefined} title={whyNot}>
          Undo (z)
        </button>
      )}
      {problem}
    </p>
  );
}
