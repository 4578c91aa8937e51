import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { useChanged } from "../../changed.ts";
import { visible } from "../../core.ts";
import { GateRunOutput } from "../../parts/gate-run.tsx";
import { handle, notify } from "../../parts/inbox-item/handling.ts";
import { Item } from "../../parts/inbox-item/item.tsx";
import { keyOf } from "../../parts/inbox-item/kinds.tsx";
import { Json } from "../../parts/json.tsx";
import { numbered, SessionLink } from "../../parts/links.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { Ago } from "../../parts/time.tsx";
import { VerbLabel, verbWords } from "../../parts/verb.tsx";
import { FactLine, StatusChanges } from "./fact.tsx";
import { isVerb } from "./kinds.ts";
import type { PlacedItem } from "./placed-items.ts";
import { Classes, SignalBody } from "./signal-body.tsx";
import type { Card } from "./use-cards.ts";

interface CardProps {
  readonly card: Card;
  /** What waits for a human on the task. */
  readonly items: readonly PlacedItem[];
  readonly isInside: boolean;
  /** True for the card in the address. */
  readonly isPointed: boolean;
  /** @returns true, once, for the card that takes the focus */
  takesFocus(): boolean;
}

/** A comment, a signal or a fact, with the changes of the status and the open items that came of it. */
export function TimelineCard({ card, items, isInside, isPointed, takesFocus }: CardProps) {
  const { position, kind, late, created } = card;
  const own = items.filter((one) => one.place === position);
  const { with: to, path } = useAddress();
  const changed = useChanged();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus()) element.current?.focus({ preventScroll: true });
  });
  const isFact = kind !== "comment" && card.payload === null;
  const classes = ["timeline-card", isFact ? "is-fact" : kind === "comment" ? "is-comment" : `verb-${kind}`];
  if (isInside) classes.push("is-inside");
  if (isPointed) classes.push("is-pointed");
  return (
    <article
      ref={element}
      id={`e${position}`}
      data-changed={changed.event(position)}
      class={classes.join(" ")}
      tabIndex={-1}
      aria-label={`${nameOf(kind)}, #${position}`}
    >
      <header>
        {isFact ? (
          <span class="fact-line">
            <FactLine card={card} />
            <StatusChanges changes={card.changes} />
          </span>
        ) : (
          <Kind card={card} />
        )}
        {isVerb(kind) && card.payload && <Classes verb={kind} payload={card.payload} />}
        {late && <span class="badge late">late: does not change the task</span>}
        <span class="timeline-card-about">
          {card.session !== null && <SessionLink class="badge session" id={card.session} />}
          {created !== null && <Ago time={created} />}
          <a
            class="position"
            href={`${to({}, path)}#e${position}`}
            aria-label={`Link to this card, ${numbered(position)}`}
          >
            {numbered(position)}
          </a>
        </span>
      </header>
      <CardBoundary key={position} text={card.body}>
        {card.run && !own.some((item) => item.kind === "gate") && <GateRunOutput run={card.run} />}
        {!isFact && <Body card={card} isOpen={own.length > 0} />}
      </CardBoundary>
      {!isFact && <StatusChanges changes={card.changes} />}
      {own.map((item) => (
        <Item
          key={keyOf(item)}
          named={item}
          place={isFact ? "task" : "card"}
          hasKeys={() => {
            const focused = document.activeElement?.closest(".timeline-card");
            return focused ? focused === element.current && item === own[0] : items.length === 1;
          }}
          onAct={(whole, act, text) => {
            notify(undefined);
            handle(whole, act, text);
            element.current?.focus();
          }}
        />
      ))}
    </article>
  );
}

/** What a screen reader calls it. */
function nameOf(kind: Card["kind"]): string {
  return isVerb(kind) ? verbWords[kind] : (NAMES[kind] ?? kind);
}

const NAMES: Readonly<Partial<Record<string, string>>> = {
  comment: "Comment",
  act: "Act",
  gate: "Gate run",
  status: "Status change",
  session: "Session",
  phase: "Phase",
  prompt: "Prompt",
  merge: "Merge",
};

function Kind({ card: { kind, author, actor, by, updated } }: { readonly card: Card }) {
  if (isVerb(kind)) return <VerbLabel verb={kind} />;
  if (kind !== "comment") return <span class="verb">{visible(kind)}</span>;
  return (
    <span>
      <strong>{visible(author ?? actor ?? "")}</strong>{" "}
      <span class="muted">
        comment
        {actor !== null && author !== actor && ` by ${visible(actor)}`}
        {by === "agent" && author === actor && " from an agent"}
        {updated !== null && ", edited"}
      </span>
    </span>
  );
}

function Body({ card, isOpen }: { readonly card: Card; readonly isOpen: boolean }) {
  const { kind, payload, position } = card;
  if (kind === "comment") return <Markdown text={card.body} />;
  if (isVerb(kind) && payload)
    return <SignalBody card={card} verb={kind} payload={payload} isOpen={isOpen} />;
  return (
    <>
      <p class="muted">
        This page cannot show <code>signal.{visible(kind)}</code> (#{position}). Its payload:
      </p>
      <Json value={payload} />
    </>
  );
}

/** An error boundary for one card: shows its plain text instead. */
class CardBoundary extends Component<
  { readonly text: string; readonly children: ComponentChildren },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (
      <>
        <PlainText text={this.props.text} />
        <p class="muted">This card could not be rendered, so it is shown as plain text.</p>
      </>
    ) : (
      this.props.children
    );
  }
}
