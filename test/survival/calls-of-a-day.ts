import fc from "fast-check";
import { reportedStates } from "../../src/events/types/sessions.ts";
import { signalArguments } from "../properties/signal-arguments.ts";
import type { Call } from "./line-kinds.ts";

const WORDS = `the a parser cache token session retry lock index queue buffer schema export import route
  layout header test fixture mock client server socket stream chunk limit offset page cursor filter`.split(
  /\s+/,
);

/** What an agent writes is new every time: learnings, questions and blockers are seldom equal. */
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 6, maxLength: 14 })
  .map((words) => `${words.join(" ")}.`);
const FIELDS = ["summary", "reason", "question", "what", "text", "on"];

const signal = fc.tuple(signalArguments, sentence, fc.boolean()).map(([{ verb, args }, text, fresh]) => {
  const field = FIELDS.find((name) => name in args);
  // Half of them keep the texts that name tasks, features and each other.
  return { name: verb, args: fresh && field ? { ...args, [field]: text } : args, legal: true };
});
const state = fc
  .record({ state: fc.constantFrom(...reportedStates), metadata: fc.record({ note: sentence }) })
  .map((args) => ({ name: "update_session_state", args: { sessionId: "s-1", ...args }, legal: true }));
const mistake = sentence.map((text) => ({
  name: "flag",
  args: { what: text, severity: "fatal" },
  legal: false,
}));

const call: fc.Arbitrary<Call & { readonly legal: boolean }> = fc.oneof(
  { weight: 14, arbitrary: signal },
  { weight: 5, arbitrary: state },
  { weight: 1, arbitrary: mistake },
);

/** The calls of a window, all different from those of other windows; a few are refused. */
export function callsOfADay(window: number, count: number): readonly (Call & { readonly legal: boolean })[] {
  return fc.sample(call, { seed: window, numRuns: count });
}
