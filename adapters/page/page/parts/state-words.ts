import type { Blocker, Question } from "../core.ts";

/** Labels of a question's state. */
export const questionWords: Readonly<Record<Question["state"], string>> = {
  raised: "session still running",
  open: "waiting for an answer",
  answered: "answered",
  informational: "unanswered, blocks nothing",
  dismissed: "dismissed",
};

/** Labels of a blocker's state. */
export const blockerWords: Readonly<Record<Blocker["state"], string>> = {
  raised: "session still running",
  open: "open",
  resolved: "resolved",
  informational: "blocks nothing",
  dismissed: "dismissed",
};
