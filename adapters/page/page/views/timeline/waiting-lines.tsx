import { useAddress } from "../../address.ts";
import { handling } from "../../parts/inbox-item/handling.ts";
import { KindOf, keyOf } from "../../parts/inbox-item/kinds.tsx";
import { useUndoOfTask } from "../../parts/inbox-item/undo-of-task.tsx";
import { oneLine } from "../../parts/readable.ts";
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
  const { with: to } = useAddress();
  const announcement = useStore(handling, (state) => state.announcement);
  const undo = useUndoOfTask(task, () => {});
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
      {undo}
    </section>
  );
}

const SHOWN = 4;
