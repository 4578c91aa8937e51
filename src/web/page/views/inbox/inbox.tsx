import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useWhyNoActs } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useKeys } from "../../keys.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { UndoStrip } from "../../parts/undo.tsx";
import { useStore } from "../../store.ts";
import { BellSwitches } from "./bell.tsx";
import { handle, handling, lastUnseen, notify, stillThere, takeBack, tellIrrevocable } from "./handling.ts";
import { Item } from "./item.tsx";
import { itemIn, keyOf } from "./kinds.tsx";
import { InboxList } from "./list.tsx";
import { Quiet } from "./quiet.tsx";
import "./inbox.css";

const PAGE = 200;

/** What waits for a human, item by item; what is dealt with is out of the list at once, and can be taken back. */
export function InboxView() {
  const [limit, setLimit] = useState(PAGE);
  const { answer, position, error } = useAnswer("inbox", { limit });
  const undoable = useAnswer("undoable", {});
  // What is there stays readable while the server is away.
  if (!answer || !undoable.answer || position === undefined) {
    return error ? <Fault error={error} /> : <Loading what="the inbox" />;
  }
  return (
    <Loaded
      answer={answer}
      position={position}
      undoable={undoable.answer}
      undoableAt={undoable.position ?? 0}
      onMore={() => setLimit(limit + PAGE)}
    />
  );
}

interface LoadedProps {
  readonly answer: AnswerOf<"inbox">;
  readonly position: number;
  readonly undoable: AnswerOf<"undoable">;
  readonly undoableAt: number;
  onMore(): void;
}

function Loaded({ answer, position, undoable, undoableAt, onMore }: LoadedProps) {
  const address = useAddress();
  const state = useStore(handling);
  const wantsFocus = useRef<string | undefined>(undefined);
  const isPast = address.at !== undefined;
  const whyNot = useWhyNoActs();
  const lines = isPast ? answer.lines : stillThere(answer.lines, state, position);
  const total = answer.total - (answer.lines.length - lines.length);
  const selected = address.get("item");
  const named = itemIn(selected);
  const place = lines.findIndex((line) => keyOf(line) === selected);
  const lastPlace = useRef(0);
  if (place >= 0) lastPlace.current = place;

  // On a phone an item is a page of its own; elsewhere there is room for the first one beside the list.
  const first = lines[0];
  useEffect(() => {
    if (!named && first && !isPhone()) address.go({ item: keyOf(first) }, { replace: true });
  }, [named === undefined, first && keyOf(first)]);

  function select(key: string | undefined): void {
    wantsFocus.current = key;
    notify(undefined);
    address.go({ item: key }, { replace: true });
    if (isPhone()) requestAnimationFrame(focusItem);
  }

  function step(by: number): void {
    const next = place >= 0 ? place + by : by > 0 ? lastPlace.current : lastPlace.current - 1;
    const line = lines[Math.max(0, Math.min(next, lines.length - 1))];
    if (line) select(keyOf(line));
  }

  async function undo(act: Parameters<typeof takeBack>[0]): Promise<void> {
    if (await takeBack(act)) select(keyOf(act));
  }

  function undoLast(): void {
    const last = lastUnseen(state, undoableAt) ?? undoable.find(({ read_by }) => read_by === null);
    if (state.irrevocable) tellIrrevocable(state.irrevocable);
    else if (last) void undo(last);
    else notify("There is nothing that could be taken back.");
  }

  useKeys("Inbox", [
    { key: "j", does: "next item", run: () => step(1) },
    { key: "k", does: "previous item", run: () => step(-1) },
    { key: "Enter", does: "open the item", run: () => focusItem() },
    ...(whyNot !== undefined
      ? []
      : [
          {
            key: "z",
            does: "take back what was done last",
            run: ({ repeat }: KeyboardEvent) => {
              if (!repeat) undoLast();
            },
          },
        ]),
  ]);
  const waiting = `${total === 0 ? "Nothing" : total.toLocaleString("en")} ${total > 1 ? "wait" : "waits"}`;
  return (
    <div class="inbox" data-shows={named ? "item" : "list"}>
      <h1 class="hidden-but-read">Inbox</h1>
      <p class="hidden-but-read" role="status">
        {state.said} {waiting}.
      </p>
      <div class="inbox-panes">
        <div class="inbox-list">
          <p class="inbox-head">
            <strong>{waiting}</strong>
            <BellSwitches />
          </p>
          {lines.length === 0 ? (
            <Quiet answer={answer} />
          ) : (
            <InboxList
              lines={lines}
              total={total}
              selected={selected}
              refused={state.refused}
              wantsFocus={wantsFocus}
              addressOf={(key) => address.with({ item: key })}
              onOpen={focusItem}
              onEnd={onMore}
            />
          )}
        </div>
        <div class="scroll inbox-pane">
          {named && (
            <>
              <p class="inbox-back">
                <Link href={address.with({ item: undefined })}>‹ Inbox ({total})</Link>
              </p>
              <Item
                key={selected}
                named={named}
                onAct={(item, act, text) => {
                  const after = lines[place + 1] ?? lines[place - 1];
                  handle(item, act, text);
                  select(after && keyOf(after));
                }}
              />
            </>
          )}
        </div>
      </div>
      {!isPast && <UndoStrip acts={undoable} notice={state.notice} onUndo={(act) => void undo(act)} />}
    </div>
  );
}

function isPhone(): boolean {
  return matchMedia("(max-width: 640px)").matches;
}

/** To where one reads on: an item's heading. */
function focusItem(): void {
  document.getElementById("item-heading")?.focus();
}
