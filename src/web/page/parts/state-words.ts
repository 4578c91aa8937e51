import type { Blocker, Question } from "../../../projections/board/tables.ts";

/** What became of a question, in words for people. */
export const questionWords: Readonly<Record<Question["state"], string>> = {
  raised: "session still running",
  open: "waiting for an answer",
  answered: "answered",
  informational: "unanswered, blocks nothing",
  dismissed: "dismissed",
};

/** What became of a blocker, in words for people. */
export const blockerWords: Readonly<Record<Blocker["state"], string>> = {
  raised: "session still running",
  open: "open",
  resolved: "resolved",
  informational: "blocks nothing",
  dismissed: "dismissed",
};
