import { useEffect, useRef, useState } from "preact/hooks";
import { useDisabledReason } from "../../acts.ts";
import { useAnswer } from "../../answers.ts";
import { deniedWords, roleForItem, visible } from "../../core.ts";
import { useKeys } from "../../keys.ts";
import { useStore } from "../../store.ts";
import { LazyMarkdown } from "../lazy-markdown.tsx";
import { EventLink, SessionLink, TaskLink } from "../links.tsx";
import { PlainText } from "../plain-text.tsx";
import { sessionName } from "../session-name.ts";
import { Empty, Fault, Loading } from "../states.tsx";
import { Ago } from "../time.tsx";
import { Context } from "./context.tsx";
import { Draft } from "./draft.tsx";
import { handling, type OfferedAct, type WholeItem } from "./handling.ts";
import { type Kind, KindOf, keyOf, wordOf } from "./kinds.tsx";
import { Output } from "./output.tsx";
import { Choices, Verdict, Written } from "./verdicts.tsx";
import { WhyItWaits } from "./why-it-waits.tsx";
import "./item.css";

interface ItemProps {
  readonly named: { readonly kind: Kind; readonly id: number };
  /** `card`: below the words of the item, which are not repeated. */
  readonly place: "inbox" | "task" | "card";
  /** True if the heading takes the focus. */
  readonly takesFocus?: boolean;
  /** Whether a key that is pressed now is for this item. */
  readonly hasKeys?: () => boolean;
  /** Acts on the item and selects the next one. */
  onAct(item: WholeItem, act: OfferedAct, text?: string): void;
}

/** An item with its details and actions. Key it by the item, so that no state of another one shows. */
export function Item(props: ItemProps) {
  const { named } = props;
  const { answer, error, isOld } = useAnswer("inbox_item", { kind: named.kind, id: named.id });
  if (!answer || isOld) return error ? <Fault error={error} /> : <Loading what="the item" />;
  return answer.item ? (
    <Waiting item={answer.item} {...props} />
  ) : (
    <Over named={named} became={answer.became} />
  );
}

function Waiting({
  item,
  place,
  takesFocus = false,
  hasKeys,
  onAct,
}: ItemProps & { readonly item: WholeItem }) {
  const key = keyOf(item);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const why = useDisabledReason(roleForItem(item.kind));
  const reason = useStore(handling, ({ refused }) => refused.get(key));
  const command = useRef<HTMLDivElement>(null);
  const { written, chosen, write } = useWriting();
  const [note, setNote] = useState<string>();
  const answers = item.acts.filter(({ needsText }) => needsText);
  const [answer] = answers;
  const verdicts = item.acts.filter(({ needsText }) => !needsText);
  const isCommand = item.kind === "gate" || item.kind === "gate_approval";

  function decide(act: OfferedAct, text?: string): void {
    if (why !== undefined) return;
    // A command cannot be approved before all of it was on the screen.
    if (act.needsOpen && !isSeenToEnd(command.current)) {
      showEnd(command.current);
      setNote(`Read to the end, then ${act.label} again.`);
      return;
    }
    onAct(item, act, text);
  }

  const keys = [
    ...(answer && item.kind === "question"
      ? item.choices.slice(0, 9).map((choice, index) => ({
          key: String(index + 1),
          does: `choose option ${index + 1}`,
          run: once(() => decide(answer, choice)),
        }))
      : []),
    ...verdicts.map((act) => ({ key: act.key, does: act.label, run: once(() => decide(act)) })),
    ...answers.map((act) => ({ key: act.key, does: `${act.label} (write the text)`, run: () => write(act) })),
  ];
  useKeys("Inbox", keys, hasKeys);
  return (
    <article
      class="inbox-item"
      {...(place === "card"
        ? { "aria-label": `This ${wordOf(item.kind)}` }
        : { "aria-labelledby": headingId(key) })}
    >
      {place !== "card" && (
        <>
          <Origin item={item} />
          <h2 ref={heading} id={headingId(key)} tabIndex={-1}>
            {isCommand ? headingOf(item) : <PlainText text={item.text} />}
          </h2>
        </>
      )}
      {isCommand && (
        <div ref={command} class="command">
          <pre>
            <PlainText text={item.text} />
          </pre>
        </div>
      )}
      <WhyItWaits item={item} />
      {item.denied.length > 0 && <p class="why-it-waits">denied: {visible(deniedWords(item.denied))}</p>}
      {reason !== undefined && (
        <p class="fault" role="alert">
          {reason}
        </p>
      )}
      {item.kind === "gate" || item.kind === "merge" ? (
        <Output text={item.detail} />
      ) : (
        place !== "card" && item.detail !== null && <LazyMarkdown text={item.detail} />
      )}
      {item.draft && item.other_task !== null && (
        <Draft task={item.other_task} draft={item.draft} changed={item.changed} disabledReason={why} />
      )}
      {answer && (
        <div class="answers">
          {item.kind === "question" && (
            <Choices item={item} disabledReason={why} onChoose={(choice) => decide(answer, choice)} />
          )}
          <Written
            {...{ item, acts: answers, chosen }}
            field={written}
            disabledReason={why}
            onSend={decide}
          />
        </div>
      )}
      {place === "inbox" && <Context item={item} />}
      <div class="verdicts">
        {note !== undefined && <p role="status">{note}</p>}
        {verdicts.length > 0 && (
          <div class="verdict-row">
            {verdicts.map((act) => (
              <Verdict
                key={act.label}
                of={key}
                act={act}
                isMain={act === item.acts[0]}
                disabledReason={why}
                onAct={() => decide(act)}
              />
            ))}
          </div>
        )}
        {why !== undefined && item.acts.length > 0 && (
          <p class="muted" id={`why-no-acts-${key}`}>
            {why}
          </p>
        )}
      </div>
    </article>
  );
}

/** The field for a text, and the act whose key was pressed last to write one. */
function useWriting() {
  const written = useRef<HTMLTextAreaElement>(null);
  const [chosen, choose] = useState<string>();
  const write = (act: OfferedAct) => {
    choose(act.key);
    written.current?.focus();
  };
  return { written, chosen, write };
}

/** The item's kind, task, session and age. */
function Origin({ item }: { readonly item: WholeItem }) {
  return (
    <p class="muted item-of">
      <KindOf kind={item.kind} /> ·{" "}
      <TaskLink id={item.task}>
        {item.task === null ? `plan-${item.plan}` : `#${item.task} ${visible(item.task_title)}`}
      </TaskLink>
      {item.session !== null && (
        <>
          {" "}
          · <SessionLink id={item.session}>session {sessionName(item.session)}</SessionLink>
        </>
      )}{" "}
      · <EventLink position={item.id} />
      {item.time && (
        <>
          {" "}
          · <Ago time={item.time} />
        </>
      )}
    </p>
  );
}

function headingOf({ kind, gate, task }: WholeItem): string {
  if (kind === "gate") return `Gate ${gate} of task ${task} is escalated`;
  return gate === null ? `Commands for task ${task}` : `A command for task ${task}`;
}

/** An item that no longer waits, and who handled it. */
function Over({
  named: { kind, id },
  became,
}: {
  readonly named: ItemProps["named"];
  readonly became: {
    readonly word: string;
    readonly position: number;
    readonly actor: string;
    readonly time: string;
    readonly text: string;
  } | null;
}) {
  if (!became)
    return (
      <Empty>
        No {wordOf(kind)} {id} is waiting for you. See the list for those that are.
      </Empty>
    );
  return (
    <div class="inbox-item" role="status">
      <h2 id={headingId(keyOf({ kind, id }))} tabIndex={-1}>
        This {wordOf(kind)} no longer needs you
      </h2>
      <p>
        Already {became.word} by {visible(became.actor)} (<EventLink position={became.position} />
        ), <Ago time={became.time} />.
      </p>
      <PlainText text={became.text} />
    </div>
  );
}

/** Ignores key repeat, so that holding a key acts on one item only. */
function once(run: () => void): (event: KeyboardEvent) => void {
  return ({ repeat }) => {
    if (!repeat) run();
  };
}

/** The id of an item's heading. */
export function headingId(key: string): string {
  return `item-${key}`;
}

function isSeenToEnd(element: HTMLElement | null): boolean {
  const pane = element?.closest(".scroll");
  return !element || !pane || element.getBoundingClientRect().bottom <= visibleEndOf(element, pane);
}

function showEnd(element: HTMLElement | null): void {
  const pane = element?.closest(".scroll");
  if (element && pane)
    pane.scrollTop += element.getBoundingClientRect().bottom - visibleEndOf(element, pane) + END_MARGIN;
}

/** In pixels, for the note. */
const END_MARGIN = 60;

/** The top of the verdicts, which cover the end of the pane. */
function visibleEndOf(command: Element, pane: Element): number {
  const verdicts = command.closest(".inbox-item")?.querySelector(".verdicts");
  const end = pane.getBoundingClientRect().bottom;
  return Math.min(end, verdicts?.getBoundingClientRect().top ?? end) + 1;
}
