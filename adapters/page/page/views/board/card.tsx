import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useChanged } from "../../changed.ts";
import { type Card as CardData, ordinal, visible } from "../../core.ts";
import { Cost } from "../../parts/cost.tsx";
import { Phase } from "../../parts/phase.tsx";
import { Robot } from "../../parts/robot.tsx";
import { StatusMenu } from "../../parts/status-menu.tsx";
import { statusWords } from "../../parts/status-words.ts";
import { Lasting } from "../../parts/time.tsx";
import { Why } from "../../parts/why.tsx";
import { Badges } from "./badges.tsx";
import { notify } from "./notice.tsx";
import { ProposalActs } from "./proposal.tsx";
import "./card.css";

/** Values that all cards share. */
export interface BoardOf {
  readonly stuck_limit: number;
  /** The end of running durations; undefined for the present. */
  readonly until: string | undefined;
}

interface CardProps {
  readonly card: CardData;
  readonly board: BoardOf;
  /** True if the card moved to another column while in use: it stays, with its new state. */
  readonly isGone: boolean;
}

export function Card({ card, board, isGone }: CardProps) {
  const { get, with: to } = useAddress();
  const changes = useChanges(card);
  const changed = useChanged();
  const { id, title, priority, proposal } = card;
  const isSelected = get("task") === String(id);
  // Its column says the status, unless it has just left it.
  const isTold = !isGone && card.session === null && card.turn === null && card.status !== "pending";
  return (
    <article
      class={["card", proposal && "is-proposal", isSelected && "is-selected"].filter(Boolean).join(" ")}
      data-task={id}
      data-changed={changed.task(id)}
      data-changes={changes === 0 ? undefined : changes % 2 === 0 ? "even" : "odd"}
      aria-label={`#${id} ${visible(title)}`}
    >
      <p class="card-head">
        <span class="number">#{id}</span>
        {priority !== "medium" && <span class={`priority-${priority}`}>{priority}</span>}
        {proposal && <Robot />}
        {isTold && (
          <Why of={{ kind: "task", id }} isTold>
            {statusWords[card.status]}
          </Why>
        )}
        <StatusMenu card={card} onSet={notify} />
      </p>
      <h3>
        <Link
          class="card-title"
          href={to({ task: id, item: undefined })}
          aria-current={isSelected ? "true" : undefined}
        >
          {visible(title)}
        </Link>
      </h3>
      <p class="card-state">
        <State card={card} board={board} isTold={isTold} />
        <Badges card={card} stuckLimit={board.stuck_limit} />
      </p>
      <Belongs card={card} />
      {proposal && <ProposalActs card={card} />}
    </article>
  );
}

/** The task's state with its explanation, unless its column says it, and what it waits for. */
function State({ card, board, isTold }: Omit<CardProps, "isGone"> & { readonly isTold: boolean }) {
  const { id, status, turn, session, waits_for, open_dependencies, blocked_on } = card;
  const of = { kind: "task", id } as const;
  if (session) {
    return (
      <>
        <Why of={of}>
          <Phase state={session.state} />
        </Why>
        <span class="muted">
          {session.entered_at && <Lasting from={session.entered_at} until={board.until} />} ·{" "}
          <Cost microUsd={session.cost_micro_usd} />
        </span>
      </>
    );
  }
  if (turn !== null) {
    return (
      <Why of={of}>
        <b>{turn === 1 ? "Next" : ordinal(turn)}</b> in line
      </Why>
    );
  }
  return (
    <>
      {!isTold && <Why of={of}>{status === "pending" ? "Waiting" : statusWords[status]}</Why>}
      {waits_for.length > 0 && (
        <span>
          for <TaskLinks ids={waits_for.map((task) => task.id)} />
          {open_dependencies > waits_for.length && ` and ${open_dependencies - waits_for.length} more`}
        </span>
      )}
      {blocked_on !== null && waits_for.length === 0 && (
        <span class="muted clipped">{visible(blocked_on)}</span>
      )}
      {status === "in_progress" && <span class="muted">set by hand, no session is running</span>}
    </>
  );
}

function TaskLinks({ ids }: { readonly ids: readonly number[] }) {
  const { with: to } = useAddress();
  return (
    <>
      {ids.map((id, nth) => (
        <>
          {nth > 0 && ", "}
          <Link key={id} href={to({ task: id, item: undefined })}>
            #{id}
          </Link>
        </>
      ))}
    </>
  );
}

/** `general` is the default, and not shown. */
function Belongs({ card: { feature, discipline } }: { readonly card: CardData }) {
  const names = [feature, discipline].filter((name) => name !== "general");
  return names.length === 0 ? null : <p class="card-foot muted">{visible(names.join(" · "))}</p>;
}

/**
 * Counts the changes of a card while the page is open, across columns. Its place in line does not
 * count, since it changes with other tasks.
 */
function useChanges({ turn: _, ...card }: CardData): number {
  const [changes, setChanges] = useState(0);
  const now = JSON.stringify(card);
  useEffect(() => {
    const before = known.get(card.id);
    known.delete(card.id);
    known.set(card.id, now);
    if (known.size > KNOWN) known.delete(known.keys().next().value ?? card.id);
    if (before !== undefined && before !== now) setChanges((count) => count + 1);
  }, [card.id, now]);
  return changes;
}

/** Each card as it was last shown, the one shown last at the end; those that nobody sees for long are forgotten. */
const known = new Map<number, string>();
const KNOWN = 500;
