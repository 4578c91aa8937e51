import { useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useStore } from "../../store.ts";
import { oneLine } from "../readable.ts";
import { handle, handling, notify } from "./handling.ts";
import { Item } from "./item.tsx";
import { KindOf, keyOf } from "./kinds.tsx";
import { useUndoOfTask } from "./undo-of-task.tsx";
import { firstOf, type useOpenItems } from "./use-open-items.ts";

interface OpenItemsProps {
  readonly task: number;
  /** The items to show here. */
  readonly items: ReturnType<typeof useOpenItems>;
  /** Whether a key that is pressed now is for these items. */
  hasKeys(): boolean;
}

/**
 * The open items of a task, one of them with its actions: that whose key or kind is `item` in the
 * address, or else the most urgent one. Below them the actions that can be undone.
 */
export function OpenItems({ task, items, hasKeys }: OpenItemsProps) {
  const address = useAddress();
  const announcement = useStore(handling, (state) => state.announcement);
  const section = useRef<HTMLElement>(null);
  const [next, setNext] = useState<string>();
  const [hasActed, setActed] = useState(false);
  const undo = useUndoOfTask(task, setNext, hasKeys);
  const named = address.get("item");
  const current = items.find((item) => keyOf(item) === next) ?? firstOf(items, named);
  const shown = current && keyOf(current);
  // After an action it stays, since it has the focus.
  if (items.length === 0 && undo === undefined && !hasActed) return null;
  return (
    <section ref={section} class="open-items" tabIndex={-1} aria-label={`Task ${task} needs you`}>
      <p class={current || undo !== undefined ? "hidden-but-read" : "muted"} role="status">
        {announcement}
      </p>
      {current && (
        <Item
          key={shown}
          named={current}
          place="task"
          takesFocus={shown === next || [shown, current.kind].includes(named)}
          hasKeys={hasKeys}
          onAct={(item, act, text) => {
            const place = items.findIndex((one) => keyOf(one) === shown);
            const after = items[place + 1] ?? items[place - 1];
            notify(undefined);
            handle(item, act, text);
            setActed(true);
            setNext(after && keyOf(after));
            if (!after) section.current?.focus();
          }}
        />
      )}
      {items.length > 1 && (
        <ul class="open-items-more" aria-label="Also waiting">
          {items
            .filter((item) => item !== current)
            .map((item) => (
              <li key={keyOf(item)}>
                <Link href={address.with({ item: keyOf(item) })} replace onClick={() => setNext(keyOf(item))}>
                  <KindOf kind={item.kind} /> {oneLine(item.text)}
                </Link>
              </li>
            ))}
        </ul>
      )}
      {undo}
    </section>
  );
}
