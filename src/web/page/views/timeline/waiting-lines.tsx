import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useKeys } from "../../keys.ts";
import { handling } from "../../parts/inbox-item/handling.ts";
import { KindOf, keyOf } from "../../parts/inbox-item/kinds.tsx";
import { useUndo } from "../../parts/inbox-item/use-undo.ts";
import { oneLine } from "../../parts/readable.ts";
import { UndoStrip } from "../../parts/undo.tsx";
import { useStore } from "../../store.ts";
import { cardFilter } from "./filter.ts";
import type { PlacedItem } from "./placed-items.ts";

/** A line for each open item of the task, which leads to its card; below them what can be undone. */
export function WaitingLines({
  task,
  items,
}: {
  readonly task: number;
  readonly items: readonly PlacedItem[];
}) {
  const { with: to, at } = useAddress();
  const notice = useStore(handling, (state) => state.notice);
  const announcement = useStore(handling, (state) => state.announcement);
  const disabledReason = useDisabledReason();
  const { answer: undoable = [], position = 0 } = useAnswer("undoable", {});
  const undo = useUndo(
    undoable.filter((act) => act.task === task),
    position,
    () => {},
  );
  const isUndone = undo.acts.length > 0 || notice !== undefined;
  useKeys("Inbox", disabledReason === undefined && isUndone ? [undo.key] : []);
  return (
    <section class="waiting-lines" aria-label={`Task ${task} needs you`}>
      <p class="hidden-but-read" role="status">
        {announcement}
      </p>
      <ul>
        {items.slice(0, SHOWN).map((item) => (
          <li key={keyOf(item)}>
            <a href={`${to(cardFilter.none)}#e${item.place}`}>
              <KindOf kind={item.kind} /> {oneLine(item.text)}
            </a>
          </li>
        ))}
        {items.length > SHOWN && <li class="muted">and {items.length - SHOWN} more below</li>}
      </ul>
      {isUndone && at === undefined && <UndoStrip acts={undo.acts} notice={notice} onUndo={undo.undo} />}
    </section>
  );
}

const SHOWN = 4;
