import type { Step } from "./phase-segments.ts";

/** Why a step is marked (docs/rules.md, Sessions). */
export function irregularSentence({ before, state }: Pick<Step, "before" | "state">): string {
  const step = before === undefined ? `to ${state}` : `${before} → ${state}`;
  return before === state
    ? `${step} repeats the phase. Any order is accepted; irregular steps are only marked.`
    : `${step} is out of order. Any order is accepted; irregular steps are only marked.`;
}
