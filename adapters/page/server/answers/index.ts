import { boardAnswer, cardAnswer, columnAnswer, taskSummaryAnswer } from "./board.ts";
import { chartAnswer } from "./chart.ts";
import { compareAnswer } from "./compare.ts";
import { fleetAnswer } from "./fleet.ts";
import { inboxAnswer, inboxItemAnswer, undoableAnswer } from "./inbox.ts";
import { learningAnswer, learningsAnswer } from "./learnings.ts";
import { eventAnswer, logAnswer, taskTitlesAnswer } from "./log.ts";
import { eventTypesAnswer, logFindAnswer } from "./log-find.ts";
import { logRangeAnswer } from "./log-range.ts";
import { loopAnswer } from "./loop.ts";
import { overviewAnswer } from "./overview.ts";
import { policiesAnswer } from "./policies.ts";
import { positionAnswer } from "./position.ts";
import { sessionChangesAnswer } from "./session-changes.ts";
import { sessionAnswer, sessionIndexAnswer, sessionsAnswer, sessionTotalsAnswer } from "./session-list.ts";
import { sessionOutputAnswer, sessionOutputEntryAnswer, sessionOutputFindAnswer } from "./session-output.ts";
import { findTasksAnswer, taskFormAnswer } from "./task-form.ts";
import { cardIndexAnswer, cardsAnswer, gateOutputAnswer, timelineAnswer } from "./timeline.ts";
import { marksAnswer, marksAroundAnswer, travelAnswer } from "./travel.ts";
import { trustAnswer } from "./trust.ts";
import { whyAnswer } from "./why.ts";

/** All queries of the page. To add one: a definition in its view's file, and a line here. */
export const answers = [
  overviewAnswer,
  trustAnswer,
  loopAnswer,
  learningsAnswer,
  learningAnswer,
  logAnswer,
  eventAnswer,
  taskTitlesAnswer,
  inboxAnswer,
  inboxItemAnswer,
  undoableAnswer,
  sessionsAnswer,
  sessionTotalsAnswer,
  sessionIndexAnswer,
  sessionAnswer,
  sessionOutputAnswer,
  sessionOutputFindAnswer,
  sessionOutputEntryAnswer,
  sessionChangesAnswer,
  chartAnswer,
  logFindAnswer,
  logRangeAnswer,
  eventTypesAnswer,
  timelineAnswer,
  cardsAnswer,
  cardIndexAnswer,
  gateOutputAnswer,
  boardAnswer,
  columnAnswer,
  cardAnswer,
  taskSummaryAnswer,
  taskFormAnswer,
  findTasksAnswer,
  whyAnswer,
  positionAnswer,
  travelAnswer,
  marksAnswer,
  marksAroundAnswer,
  compareAnswer,
  fleetAnswer,
  policiesAnswer,
] as const;

type Definition = (typeof answers)[number];
export type AnswerName = Definition["name"];
type Named<Name extends AnswerName> = Extract<Definition, { name: Name }>;

/** The types of a query and of its answer. */
export type QueryOf<Name extends AnswerName> = {
  readonly [Key in keyof Parameters<Named<Name>["answer"]>[1]]:
    | Parameters<Named<Name>["answer"]>[1][Key]
    | undefined;
};
export type AnswerOf<Name extends AnswerName> = Awaited<ReturnType<Named<Name>["answer"]>>;
