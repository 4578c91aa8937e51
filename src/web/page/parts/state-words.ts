import type { Blocker, Question } from "../../../projections/board/tables.ts";

/** What became of a question, in words for people. */
export const questionWords: Readonly<Record<Question["state"], string>> = {
  raised: "its session still runs",
  open: "waits for an answer",
  answered: "answered",
  informational: "not answered; it holds nothing up",
  dismissed: "dismissed",
};

/** What became of a blocker, in words for people. */
export const blockerWords: Readonly<Record<Blocker["state"], string>> = {
  raised: "its session still runs",
  open: "open",
  resolved: "resolved",
  informational: "holds nothing up",
  dismissed: "dismissed",
};
