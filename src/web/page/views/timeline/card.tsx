import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visible } from "../../../../events/visible.ts";
import { useAddress } from "../../address.ts";
import { useChanged } from "../../changed.ts";
import { handle, notify } from "../../parts/inbox-item/handling.ts";
import { Item } from "../../parts/inbox-item/item.tsx";
import { keyOf } from "../../parts/inbox-item/kinds.tsx";
import { isOfCard, useOpenItems } from "../../parts/inbox-item/use-open-items.ts";
import { Json } from "../../parts/json.tsx";
import { numbered, SessionLink } from "../../parts/links.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { Ago } from "../../parts/time.tsx";
import { VerbLabel, verbWords } from "../../parts/verb.tsx";
import { Classes, SignalBody } from "./signal-body.tsx";
import type { Card } from "./use-cards.ts";

interface CardProps {
  readonly task: number;
  readonly card: Card;
  readonly isInside: boolean;
  /** True for the card in the address. */
  readonly isPointed: boolean;
  /** @returns true, once, for the card that takes the focus */
  takesFocus(): boolean;
}

/** A comment or a signal with its author and its position. */
export function TimelineCard({ task, card, isInside, isPointed, takesFocus }: CardProps) {
  const { position, verb, late } = card;
  const items = useOpenItems(task);
  const item = items.find((one) => one.id === position && isOfCard(one));
  const { with: to, path } = useAddress();
  const changed = useChanged();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus()) element.current?.focus({ preventScroll: true });
  });
  const classes = ["timeline-card", verb === null ? "is-comment" : `verb-${verb}`];
  if (isInside) classes.push("is-inside");
  if (isPointed) classes.push("is-pointed");
  return (
    <article
      ref={element}
      id={`e${position}`}
      data-changed={changed.event(position)}
      class={classes.join(" ")}
      tabIndex={-1}
      aria-label={`${isKnown(verb) ? verbWords[verb] : (verb ?? "Comment")}, #${position}`}
    >
      <header>
        <Kind card={card} />
        {isKnown(verb) && card.payload && <Classes verb={verb} payload={card.payload} />}
        {late && <span class="badge late">late: does not change the task</span>}
        <span class="timeline-card-about">
          {card.session !== null && <SessionLink class="badge session" id={card.session} />}
          <Ago time={card.created} />
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
        <Body card={card} isOpen={item !== undefined} />
      </CardBoundary>
      {item && (
        <Item
          key={keyOf(item)}
          named={item}
          place="card"
          hasKeys={() => {
            const focused = document.activeElement?.closest(".timeline-card");
            return focused ? focused === element.current : items.length === 1;
          }}
          onAct={(whole, act, text) => {
            notify(undefined);
            handle(whole, act, text);
            element.current?.focus();
          }}
        />
      )}
    </article>
  );
}

function Kind({ card: { verb, author, actor, by, updated } }: { readonly card: Card }) {
  if (isKnown(verb)) return <VerbLabel verb={verb} />;
  if (verb !== null) return <span class="verb">{visible(verb)}</span>;
  return (
    <span>
      <strong>{visible(author ?? actor)}</strong>{" "}
      <span class="muted">
        comment
        {author !== actor && ` by ${visible(actor)}`}
        {by === "agent" && author === actor && " from an agent"}
        {updated !== null && ", edited"}
      </span>
    </span>
  );
}

function Body({ card, isOpen }: { readonly card: Card; readonly isOpen: boolean }) {
  const { verb, payload, position } = card;
  if (verb === null) return <Markdown text={card.body} />;
  if (isKnown(verb) && payload)
    return <SignalBody card={card} verb={verb} payload={payload} isOpen={isOpen} />;
  return (
    <>
      <p class="muted">
        This page cannot show <code>signal.{visible(verb)}</code> (#{position}). Its payload:
      </p>
      <Json value={payload} />
    </>
  );
}

/** A newer server may send verbs that this page does not know. */
function isKnown(verb: Card["verb"]): verb is NonNullable<Card["verb"]> {
  return verb !== null && Object.hasOwn(verbWords, verb);
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
