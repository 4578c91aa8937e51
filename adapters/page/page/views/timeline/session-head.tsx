import { useEffect, useRef } from "preact/hooks";
import { clockLength, counted } from "../../core.ts";
import { Cost } from "../../parts/cost.tsx";
import { SessionLink } from "../../parts/links.tsx";
import { SessionSign } from "../../parts/outcome.tsx";
import { sessionName } from "../../parts/session-name.ts";
import { durationOf, Moment, Since } from "../../parts/time.tsx";
import { millisecondsOf } from "../../parts/zone.ts";
import type { SectionSession } from "./rows.ts";

interface SessionHeadProps {
  readonly session: SectionSession;
  readonly cards: number;
  readonly isOpen: boolean;
  onToggle(): void;
  takesFocus(): boolean;
}

/** A session in a timeline with its outcome; opening it shows its cards. */
export function SessionHead({ session, cards, isOpen, onToggle, takesFocus }: SessionHeadProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus()) button.current?.focus({ preventScroll: true });
  });
  const { id, current_state, outcome, started_at, completed_at, cost_micro_usd } = session;
  const ending = endingOf(session);
  return (
    <div class="timeline-session">
      <button ref={button} type="button" aria-expanded={isOpen} onClick={onToggle}>
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> session {sessionName(id)}
      </button>
      <SessionSign state={current_state} outcome={outcome} />
      {ending && <span>{ending}</span>}
      <span class="muted">
        <Moment time={started_at} /> ·{" "}
        {completed_at === null ? (
          <Since time={started_at} />
        ) : (
          durationOf(millisecondsOf(completed_at) - millisecondsOf(started_at))
        )}
      </span>
      <span class="muted">
        <Cost microUsd={cost_micro_usd} />
      </span>
      <span class="muted">{counted(cards, "card")}</span>
      <SessionLink id={id}>details</SessionLink>
      <Phases session={session} />
    </div>
  );
}

/** The phases that it has left, on one line. */
function Phases({ session }: { readonly session: SectionSession }) {
  const left = PHASES.flatMap((phase) => {
    const time = session[`${phase}_us`];
    return time === null ? [] : [`${phase} ${clockLength(time / 1_000)}`];
  });
  if (left.length === 0) return null;
  const back = session.returns > 0 ? ` · back to implementing × ${session.returns}` : "";
  return (
    <span class="muted timeline-phases">
      {left.join(" → ")}
      {back}
    </span>
  );
}

const PHASES = ["analyzing", "implementing", "testing", "committing", "reviewing"] as const;

/** How it ended, beyond the outcome. */
export function endingOf({
  outcome,
  closing,
  inferred,
  unverified,
  exit,
}: Pick<SectionSession, "outcome" | "closing" | "inferred" | "unverified" | "exit">): string {
  if (outcome === null) return "running";
  const how = inferred
    ? "ended without a closing verb"
    : unverified
      ? "closed with an unverified done"
      : closing === outcome || closing === "done"
        ? ""
        : closing;
  const end = exit === null || exit === "exited" || exit === outcome ? "" : exit.replace("_", " ");
  return [how, end].filter(Boolean).join(" · ");
}
