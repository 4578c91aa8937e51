import type { CardKind, Verb } from "../../core.ts";
import { verbWords } from "../../parts/verb.tsx";

/** Labels of the kinds of cards that are no signals, in the order of their filters. */
export const factWords: Readonly<Record<Exclude<CardKind, Verb>, string>> = {
  comment: "comments",
  act: "acts",
  status: "status changes",
  gate: "gate runs",
  session: "sessions",
  phase: "phases",
  prompt: "prompts",
  merge: "merges",
};

/** A newer server may send kinds that this page does not know. */
export function isVerb(kind: CardKind): kind is Verb {
  return Object.hasOwn(verbWords, kind);
}
