import type { InboxLine } from "../../../server/answers/inbox.ts";

export type Kind = InboxLine["kind"];

/** The key of an item: its id alone is not unique across kinds. */
export function keyOf({ kind, id }: { readonly kind: Kind; readonly id: number }): string {
  return `${kind}-${id}`;
}

/** @returns undefined if the key names no item */
export function itemIn(key: string | undefined): { readonly kind: Kind; readonly id: number } | undefined {
  const [, kind = "", id = ""] = /^([a-z_]+)-(\d{1,15})$/.exec(key ?? "") ?? [];
  return isKind(kind) ? { kind, id: Number(id) } : undefined;
}

/** A kind by symbol and word. */
export function KindOf({ kind }: { readonly kind: Kind }) {
  const { word } = LOOKS[kind];
  return (
    <span class={`kind kind-${kind}`}>
      <KindSymbol kind={kind} /> {word}
    </span>
  );
}

/** Drawn, since fonts lack some of these characters. */
export function KindSymbol({ kind }: { readonly kind: Kind }) {
  return (
    <svg class={`kind-symbol kind-${kind}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={LOOKS[kind].drawn} fill="none" stroke="currentColor" stroke-width="1.6" />
    </svg>
  );
}

export function wordOf(kind: Kind): string {
  return LOOKS[kind].word;
}

/** The heading of several items of a kind: `Escalated gates`. */
export function headingOf(kind: Kind): string {
  const { word } = LOOKS[kind];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}s`;
}

/** Items of a kind by number: `1 proposal`, `3 proposals`. */
export function countOf(kind: Kind, items: number): string {
  return `${items.toLocaleString("en")} ${wordOf(kind)}${items === 1 ? "" : "s"}`;
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(LOOKS, text);
}

const LOOKS: Readonly<Record<Kind, { readonly word: string; readonly drawn: string }>> = {
  gate: { word: "escalated gate", drawn: "M8 2 V10 M8 12.4 V14.2" },
  question: { word: "question", drawn: "M5 6 A3 3 0 1 1 9 8.6 Q8 9.2 8 10.6 M8 12.6 V14.2" },
  blocker: { word: "blocker", drawn: "M8 2 A6 6 0 1 1 7.9 2 M3.8 3.8 L12.2 12.2" },
  contest: { word: "contest", drawn: "M3 6 H13 M3 10 H13 M11 3 L5 13" },
  plan: { word: "plan", drawn: "M3 3 H13 V13 H3 Z M3 8 H13 M8 3 V13" },
  proposal: { word: "proposal", drawn: "M8 3 V13 M3 8 H13" },
  flag: { word: "blocking flag", drawn: "M4 14 V2.8 H12.5 L10 5.8 L12.5 8.8 H4" },
  stall: { word: "stalled task", drawn: "M12.5 6 A5 5 0 1 0 13 9 M12.8 2.5 V6 H9.3" },
  setup: {
    word: "failed setup",
    drawn:
      "M2.5 13.5 L8.5 7.5 M8 4.5 A3.2 3.2 0 0 1 12 2.6 L10.2 4.6 L11.5 5.9 L13.4 4 A3.2 3.2 0 0 1 8.5 7.5",
  },
  hold: { word: "held task", drawn: "M5 3V13M11 3V13" },
  gate_approval: { word: "gate approval", drawn: "M3 4 L7 8 L3 12 M8.5 12.5 H13.5" },
  merge: { word: "merge", drawn: "M4 3V13M12 3V6L4 9" },
  acceptance: { word: "acceptance", drawn: "M3 8.5 L6.5 12 L13 4.5" },
};

/** All kinds, by their names in the address. */
export const kinds = Object.keys(LOOKS).filter(isKind);
