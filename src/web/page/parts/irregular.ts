import type { Step } from "./phase-segments.ts";

/** Why a step is marked (rules.md, Sessions). */
export function irregularSentence({ before, state }: Pick<Step, "before" | "state">): string {
  const step = before === undefined ? `to ${state}` : `${before} → ${state}`;
  return before === state
    ? `${step} repeats the present state; any order is accepted, and such a step is marked irregular.`
    : `${step} is not a regular step; any order is accepted, and such a step is marked irregular.`;
}
