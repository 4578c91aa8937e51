import fc from "fast-check";
import {
  blockerKinds,
  flagCategories,
  learningKinds,
  learningScopes,
  severities,
  suggestionKinds,
  type Verb,
} from "../../src/events/types/signals.ts";

/** What upstream blockers say: numbers of all forms, titles, what is no number of a task, and nothing known. */
const blockedOn = [
  "needs #1 first",
  "#2",
  "task 2",
  "Waits for Task #3",
  "#99 or else #1",
  "PR #1",
  "pull request #2 and task 3",
  "MRs #3, issue #1",
  "issues #2; see #4",
  "PR: #1, then #2",
  "issue no. #2",
  "export as csv",
  "The LOGIN form is not there",
  "audit log",
  "STRASSE PRÜFEN, straße prüfen",
  "somebody's credentials",
];

const sentences = ["One thing.", "Another thing\nwith a second line", "ünïcode ✂️"];
const learnings = ["localStorage holds 5 MB per origin.", "localStorage holds 5 MB  per origin", "Use tabs."];
const wishes = [
  "Verify the chain",
  "\n \nSecond line is the title\nand more",
  "Export\n\nas XML",
  `${"long ".repeat(120)}\nand more`,
];
const sentence = fc.constantFrom(...sentences);

function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}

const argumentsOf: Readonly<Record<Verb, fc.Arbitrary<Record<string, unknown>>>> = {
  done: fc.record({ summary: sentence }),
  partial: fc.record({ summary: sentence, remaining: sentence }),
  stuck: fc.record({ reason: sentence }),
  ask: fc.record({
    question: sentence,
    blocking: fc.boolean(),
    options: optional(fc.array(sentence, { maxLength: 2 })),
    preferred: optional(sentence),
  }),
  flag: fc.record({
    what: sentence,
    severity: fc.constantFrom(...severities),
    category: fc.constantFrom(...flagCategories),
  }),
  learned: fc.record({
    text: fc.constantFrom(...learnings),
    kind: fc.constantFrom(...learningKinds),
    rationale: optional(sentence),
    scope: optional(fc.constantFrom(...learningScopes)),
  }),
  suggest: fc.record({
    what: fc.constantFrom(...wishes),
    kind: fc.constantFrom("new_task", "new_task", ...suggestionKinds),
    why: sentence,
    feature: optional(fc.constantFrom("core", "reports", "later", "Core")),
  }),
  blocked: fc.record({
    on: fc.constantFrom(...blockedOn),
    kind: fc.constantFrom("upstream_task", "upstream_task", ...blockerKinds),
    detail: optional(sentence),
  }),
};

const weights: Readonly<Record<Verb, number>> = {
  done: 5,
  partial: 4,
  stuck: 3,
  ask: 5,
  flag: 1,
  learned: 2,
  suggest: 4,
  blocked: 6,
};

/** A verb with legal arguments. */
export const signalArguments: fc.Arbitrary<{ verb: Verb; args: Record<string, unknown> }> = fc.oneof(
  ...(Object.keys(weights) as Verb[]).map((verb) => ({
    weight: weights[verb],
    arbitrary: argumentsOf[verb].map((args) => ({ verb, args })),
  })),
);
