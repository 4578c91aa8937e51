import { phaseLooks, type SessionState } from "../core.ts";
import "./phase.css";

/** A phase by symbol, colour and word: never by colour alone. */
export function Phase({ state }: { readonly state: SessionState }) {
  return (
    <span class={`phase phase-${state}`}>
      <PhaseSymbol state={state} /> {state}
    </span>
  );
}

/** Drawn, since fonts render these characters in different sizes or not at all. */
export function PhaseSymbol({ state }: { readonly state: SessionState }) {
  return (
    <svg
      class={`phase-symbol phase-${state}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
      data-symbol={phaseLooks[state].symbol}
    >
      {state === "failed" ? (
        <path d="M4 4 12 12 M12 4 4 12" stroke="currentColor" stroke-width="2" fill="none" />
      ) : (
        <>
          <circle cx="8" cy="8" r="6" stroke="currentColor" stroke-width="1.5" fill="none" />
          <path d={FILLED[state]} fill="currentColor" />
        </>
      )}
    </svg>
  );
}

/** The part of the circle that is filled: ○ ◐ ◑ ◒ ◓ ◔ ●. */
const FILLED: Readonly<Record<Exclude<SessionState, "failed">, string>> = {
  idle: "",
  analyzing: "M8 2 A6 6 0 0 0 8 14 Z",
  implementing: "M8 2 A6 6 0 0 1 8 14 Z",
  testing: "M2 8 A6 6 0 0 0 14 8 Z",
  committing: "M2 8 A6 6 0 0 1 14 8 Z",
  reviewing: "M8 8 V2 A6 6 0 0 1 14 8 Z",
  done: "M8 2 A6 6 0 1 1 8 14 A6 6 0 1 1 8 2 Z",
};
