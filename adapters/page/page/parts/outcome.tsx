import type { Session, SessionState } from "../core.ts";
import { outcomeLooks, type SessionOutcome } from "./outcome-looks.ts";
import { Phase } from "./phase.tsx";
import "./outcome.css";

/** A session's phase while it runs, its outcome once it has ended. */
export function SessionSign({
  state,
  outcome,
}: {
  readonly state: SessionState;
  readonly outcome: Session["outcome"];
}) {
  return outcome === null ? <Phase state={state} /> : <Outcome outcome={outcome} />;
}

/** A session's outcome by symbol, colour and word. Its square is no sign of a task or a phase. */
function Outcome({ outcome }: { readonly outcome: SessionOutcome }) {
  const { word, drawn } = outcomeLooks[outcome];
  return (
    <span class={`outcome outcome-${outcome}`}>
      <svg class="outcome-symbol" viewBox="0 0 16 16" aria-hidden="true" data-outcome={outcome}>
        <path d={`${SQUARE} ${drawn}`} fill="none" stroke="currentColor" stroke-width="1.6" />
      </svg>{" "}
      {word}
    </span>
  );
}

const SQUARE = "M2.5 2.5 H13.5 V13.5 H2.5 Z";
