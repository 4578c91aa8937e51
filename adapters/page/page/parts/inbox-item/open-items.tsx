import { useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useStore } from "../../store.ts";
import { oneLine } from "../readable.ts";
import { handle, handling, notify } from "./handling.ts";
import { Item } from "./item.tsx";
import { itemIn, KindOf, keyOf } from "./kinds.tsx";
import { useUndoOfTask } from "./undo-of-task.tsx";
import { firstOf, type useOpenItems } from "./use-open-items.ts";

interface OpenItemsProps {
  readonly task: number;
  /** The items to show here. */
  readonly items: ReturnType<typeof useOpenItems>;
  /** Whether a key that is pressed now is for these items. */
  hasKeys(): boolean;
}

/** The item that is shown, by its key, and the address's `item` at that time. */
interface Chosen {
  readonly key: string | undefined;
  readonly named: string | undefined;
  readonly takesFocus: boolean;
}

/**
 * The open items of a task, one of them with its actions: that whose key or kind is `item` in the
 * address, or else the most urgent one. It stays until the reader acts or chooses another one, so
 * that no key he presses meets an item that came meanwhile. Below are the actions that can be undone.
 */
export function OpenItems({ task, items, hasKeys }: OpenItemsProps) {
  const address = useAddress();
  const announcement = useStore(handling, (state) => state.announcement);
  const section = useRef<HTMLElement>(null);
  const named = address.get("item");
  const [chosen, setChosen] = useState<Chosen>();
  const choose = (key: string | undefined) => setChosen({ key, named, takesFocus: true });
  const [hasActed, setActed] = useState(false);
  const undo = useUndoOfTask(task, choose, hasKeys);
  const isChosen = chosen?.key !== undefined && chosen.named === named;
  const first = firstOf(items, named);
  if (!isChosen && first) setChosen({ key: keyOf(first), named, takesFocus: named !== undefined });
  const shown = isChosen ? chosen.key : first && keyOf(first);
  const current = items.find((item) => keyOf(item) === shown) ?? itemIn(shown);
  const others = items.filter((item) => item !== current);
  // After an action it stays, since it has the focus.
  if (!current && undo === undefined && !hasActed) return null;
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
          takesFocus={isChosen && chosen.takesFocus}
          hasKeys={hasKeys}
          onAct={(item, act, text) => {
            const place = items.findIndex((one) => keyOf(one) === shown);
            const after = items[place + 1] ?? items[place - 1];
            notify(undefined);
            handle(item, act, text);
            setActed(true);
            choose(after && keyOf(after));
            if (!after) section.current?.focus();
          }}
        />
      )}
      {others.length > 0 && (
        <ul class="open-items-more" aria-label="Also waiting">
          {others.map((item) => (
            <li key={keyOf(item)}>
              <Link href={address.with({ item: keyOf(item) })} replace>
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
