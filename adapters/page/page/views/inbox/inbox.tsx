import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { visible } from "../../core.ts";
import { defineFilter, oneOf } from "../../filter.ts";
import { useKeys } from "../../keys.ts";
import { Chip } from "../../parts/chips.tsx";
import { GettingStarted, useHasNoTask } from "../../parts/getting-started.tsx";
import { handle, handling, notify } from "../../parts/inbox-item/handling.ts";
import { headingId, Item } from "../../parts/inbox-item/item.tsx";
import { headingOf, itemIn, type Kind, keyOf, kinds } from "../../parts/inbox-item/kinds.tsx";
import { useUndo } from "../../parts/inbox-item/use-undo.ts";
import { InvalidAddress } from "../../parts/invalid-address.tsx";
import { EventLink, SessionLink, TaskLink } from "../../parts/links.tsx";
import { useHasOneColumn } from "../../parts/narrow.ts";
import { Phase } from "../../parts/phase.tsx";
import { Unanswered } from "../../parts/states.tsx";
import { Ago, Since } from "../../parts/time.tsx";
import { UndoStrip } from "../../parts/undo.tsx";
import { useStore } from "../../store.ts";
import { BellSwitches } from "./bell.tsx";
import { InboxList } from "./list.tsx";
import { MarkBar } from "./mark-bar.tsx";
import { keepMarks, marks, toggleMark } from "./marks.ts";
import { useLines } from "./use-lines.ts";
import "./inbox.css";

/** The items that wait for a human. A handled item leaves the list at once, and can be undone. */
export function InboxView() {
  const selected = useAddress().get("item");
  const { filter, wrong } = inboxFilter.read(useAddress());
  const { answer, error, ...lines } = useLines(selected, filter.kind);
  const undoable = useAnswer("undoable", {});
  if (wrong !== undefined) return <InvalidAddress clear={inboxFilter.none}>{wrong}</InvalidAddress>;
  // Cached answers stay readable while the server is unreachable.
  if (!answer || !undoable.answer) {
    return <Unanswered view="Inbox" what="the inbox" error={error} />;
  }
  return (
    <Loaded
      {...lines}
      answer={answer}
      kind={filter.kind}
      selected={selected}
      undoable={undoable.answer}
      undoableAt={undoable.position ?? 0}
    />
  );
}

interface LoadedProps extends Omit<ReturnType<typeof useLines>, "answer" | "error"> {
  readonly answer: AnswerOf<"inbox">;
  readonly kind: Kind | undefined;
  readonly selected: string | undefined;
  readonly undoable: AnswerOf<"undoable">;
  readonly undoableAt: number;
}

function Loaded({
  answer,
  kind,
  isOld,
  lines,
  groups,
  place,
  lastPlace,
  onWindow,
  selected,
  undoable,
  undoableAt,
}: LoadedProps) {
  const address = useAddress();
  const state = useStore(handling);
  const hasOneColumn = useHasOneColumn();
  const wantsFocus = useRef<string | undefined>(undefined);
  const isPast = address.at !== undefined;
  const disabledReason = useDisabledReason("answer");
  const total = lines.length;
  const named = itemIn(selected);
  const undo = useUndo(undoable, undoableAt, select);

  // On a wide screen the first item is shown beside the list; in one column it would hide the list.
  const first = isOld ? undefined : lines[0];
  useEffect(() => {
    if (!named && first && !hasOneColumn) address.go({ item: keyOf(first) }, { replace: true });
  }, [named === undefined, first && keyOf(first), hasOneColumn]);

  function select(key: string | undefined): void {
    wantsFocus.current = key;
    notify(undefined);
    address.go({ item: key }, { replace: true });
    if (hasOneColumn) requestAnimationFrame(() => focusItem(key));
  }

  function step(by: number): void {
    const next = place >= 0 ? place + by : by > 0 ? lastPlace : lastPlace - 1;
    const line = lines[Math.max(0, Math.min(next, total - 1))];
    if (line) select(keyOf(line));
  }

  const acts = new Map(answer.kinds.map((of) => [of.kind, of.acts]));
  const canMark = disabledReason === undefined;
  const markable = new Set(
    canMark ? answer.kinds.flatMap((of) => (of.acts.length > 0 ? [of.kind] : [])) : [],
  );
  const known = useStore(marks);
  const marked = canMark ? [...known.values()] : [];
  const ofFirst = marked.filter((mark) => mark.kind === marked[0]?.kind);
  const current = lines[place];
  // A marked item that somebody else has decided is not marked any more.
  useEffect(() => {
    if (kind !== undefined || isOld || !lines.every(Boolean)) return;
    const there = new Set(lines.flatMap((line) => (line ? [keyOf(line)] : [])));
    keepMarks((mark) => there.has(keyOf(mark)));
  });

  useKeys("Inbox", [
    { key: "j", does: "next item", run: () => step(1) },
    { key: "k", does: "previous item", run: () => step(-1) },
    ...(current && markable.has(current.kind)
      ? [{ key: " ", does: "mark the item", run: () => toggleMark(current) }]
      : []),
    { key: "Enter", does: "open the item", run: () => focusItem(selected) },
    ...(disabledReason === undefined ? [undo.key] : []),
  ]);
  const waiting =
    total === 0
      ? kind
        ? `No ${headingOf(kind).toLowerCase()} need you`
        : "Nothing needs you"
      : `${total.toLocaleString("en")} waiting for you`;
  return (
    <div class="inbox" data-shows={named ? "item" : "list"}>
      <h1 class="hidden-but-read">Inbox</h1>
      <p class="hidden-but-read" role="status">
        {state.announcement} {waiting}.
      </p>
      <div class="inbox-panes">
        <div class={isOld ? "inbox-list is-old" : "inbox-list"}>
          <p class="inbox-head">
            <strong>{waiting}</strong>
            <BellSwitches />
          </p>
          <KindChips kinds={answer.kinds} chosen={kind} />
          {total === 0 ? (
            kind === undefined && <Quiet answer={answer} />
          ) : (
            <InboxList
              lines={lines}
              groups={groups}
              markable={markable}
              place={place}
              selected={selected}
              refused={state.refused}
              wantsFocus={wantsFocus}
              addressOf={(key) => address.with({ item: key })}
              onOpen={focusItem}
              onWindow={onWindow}
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
                place="inbox"
                hasKeys={() => marks.get().size === 0}
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
      {marked[0] && (
        <MarkBar
          marked={ofFirst}
          kind={marked[0].kind}
          others={marked.length - ofFirst.length}
          acts={acts.get(marked[0].kind) ?? []}
          onAct={([first, ...others], act) => {
            if (!first) return;
            const gone = new Set([first, ...others].map(keyOf));
            const next = lines.find((line) => line && !gone.has(keyOf(line)));
            keepMarks((mark) => !gone.has(keyOf(mark)));
            notify(undefined);
            handle(
              first,
              act,
              "",
              others.map(({ id, task }) => ({ id, task })),
            );
            if (selected === undefined || gone.has(selected)) select(next && keyOf(next));
          }}
        />
      )}
      {!isPast && <UndoStrip acts={undo.acts} notice={state.notice} onUndo={undo.undo} />}
    </div>
  );
}

const inboxFilter = defineFilter({ kind: oneOf(kinds) });

function focusItem(key: string | undefined): void {
  if (key !== undefined) document.getElementById(headingId(key))?.focus();
}

/** Filters of the inbox by kind, each with its number of items. */
function KindChips({
  kinds,
  chosen,
}: {
  readonly kinds: AnswerOf<"inbox">["kinds"];
  readonly chosen: Kind | undefined;
}) {
  const address = useAddress();
  const choose = (kind: Kind | undefined) => address.go({ kind, item: undefined });
  const isThere = kinds.some(({ kind }) => kind === chosen);
  if (chosen === undefined && kinds.length < 2) return null;
  return (
    <search class="kind-chips" aria-label="Filter by kind">
      <Chip isChosen={chosen === undefined} onChoose={() => choose(undefined)}>
        All
      </Chip>
      {[...kinds, ...(chosen && !isThere ? [{ kind: chosen, items: 0 }] : [])].map(({ kind, items }) => (
        <Chip
          key={kind}
          isChosen={kind === chosen}
          count={items}
          onChoose={() => choose(kind === chosen ? undefined : kind)}
        >
          {headingOf(kind)}
        </Chip>
      ))}
    </search>
  );
}

/** For an empty inbox: the running sessions and the last item. */
function Quiet({ answer: { running, last } }: { readonly answer: AnswerOf<"inbox"> }) {
  const isEmpty = useHasNoTask();
  if (isEmpty) return <GettingStarted what="Nothing has needed you yet" />;
  return (
    <div class="quiet">
      {running.length === 0 ? (
        <p class="muted">No session is running.</p>
      ) : (
        <>
          <p class="muted">Running now:</p>
          <ul>
            {running.map(({ session, task, task_title, state, entered_at }) => (
              <li key={session}>
                <Phase state={state} /> <Since time={entered_at} /> ·{" "}
                <SessionLink id={session}>
                  {task === null ? "no task" : `#${task} ${visible(task_title)}`}
                </SessionLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {last ? (
        <p class="muted">
          The last item was on <TaskLink id={last.task}>task {last.task}</TaskLink>, <Ago time={last.time} />{" "}
          (<EventLink position={last.id} />
          ).
        </p>
      ) : (
        <p class="muted">Nothing has needed you yet.</p>
      )}
    </div>
  );
}
