import type { Verb } from "../core.ts";
import "./verb.css";

/** A verb by symbol, colour and word: never by colour alone. */
export function VerbLabel({ verb }: { readonly verb: Verb }) {
  return (
    <span class={`verb verb-${verb}`}>
      <VerbSymbol verb={verb} /> {verbWords[verb]}
    </span>
  );
}

/** Drawn, since many fonts lack 🚩 💡 💭 🚫 ❓. */
export function VerbSymbol({ verb }: { readonly verb: Verb }) {
  return (
    <svg class={`verb-symbol verb-${verb}`} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={DRAWN[verb]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** In the words and the order of docs/rules.md, The eight verbs. */
export const verbWords: Readonly<Record<Verb, string>> = {
  done: "Done",
  partial: "Partial",
  stuck: "Stuck",
  ask: "Ask",
  flag: "Flag",
  learned: "Learned",
  suggest: "Suggest",
  blocked: "Blocked",
};

const RING = "M8 2 A6 6 0 1 1 8 14 A6 6 0 1 1 8 2";

const DRAWN: Readonly<Record<Verb, string>> = {
  done: "M3 8.5 6.5 12 13 4",
  partial: `${RING} M8 7 V9 M7 8 H9`,
  stuck: "M8 2.5 14 13.5 H2 Z M8 6.5 V9.5 M8 11.6 V11.7",
  ask: "M5 5.5 A3 3 0 1 1 8 8.5 V10 M8 12.9 V13",
  flag: "M4 14 V2.5 H12 L10 5.5 12 8.5 H4",
  learned: "M6 11.5 V10 A4.2 4.2 0 1 1 10 10 V11.5 Z M6.5 14 H9.5",
  suggest: "M3 3 H13 V10 H8 L5 13 V10 H3 Z",
  blocked: `${RING} M3.8 3.8 12.2 12.2`,
};
