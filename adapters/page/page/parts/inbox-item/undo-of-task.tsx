import { useEffect } from "preact/hooks";
import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useKeys } from "../../keys.ts";
import { useStore } from "../../store.ts";
import { UndoStrip } from "../undo.tsx";
import { handling, notify } from "./handling.ts";
import { useUndo } from "./use-undo.ts";

/**
 * The actions on a task's items that can be undone, with the key for the last one.
 *
 * @param onUndone is told the key of an item that waits again
 * @param hasKeys whether a key that is pressed now is for this task
 * @returns the strip with them; undefined while there is nothing to show
 */
export function useUndoOfTask(task: number, onUndone: (key: string) => void, hasKeys?: () => boolean) {
  const { at } = useAddress();
  const disabledReason = useDisabledReason("answer");
  const notice = useStore(handling, (state) => state.notice);
  const { answer: undoable = [], position = 0 } = useAnswer("undoable", {});
  const undo = useUndo(
    undoable.filter((act) => act.task === task),
    position,
    onUndone,
  );
  const isShown = undo.acts.length > 0 || notice !== undefined;
  useEffect(() => notify(undefined), []);
  useKeys("Inbox", disabledReason === undefined && isShown ? [undo.key] : [], hasKeys);
  if (!isShown) return undefined;
  return at === undefined ? <UndoStrip acts={undo.acts} notice={notice} onUndo={undo.undo} /> : null;
}
