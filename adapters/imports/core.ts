/** The ports of the sources of imports: what they take from the core. */

export type { Decision, PlannedEvent } from "../../src/decisions/decide.ts";
export { Refusal } from "../../src/decisions/refusal.ts";
export { AGENT, HUMAN } from "../../src/events/actors.ts";
export { openToLook } from "../../src/events/sqlite-look.ts";
export { signalPayload } from "../../src/events/types/define-signal.ts";
export {
  line,
  name,
  type Priority,
  priorities,
  sessionId,
  type TaskStatus,
} from "../../src/events/types/fields.ts";
export type { PayloadOf } from "../../src/events/types/index.ts";
export { reportedStates, type SessionExit } from "../../src/events/types/sessions.ts";
export { closingVerbs, signals, type Verb } from "../../src/events/types/signals.ts";
export { isBlank } from "../../src/lib/blank.ts";
export { parsedJson } from "../../src/lib/json.ts";
export { describeIssues, inOurWords } from "../../src/lib/wrong-values.ts";
export { addComment } from "../../src/operations/comments.ts";
export { createDiscipline } from "../../src/operations/disciplines.ts";
export { enrichTask } from "../../src/operations/enrich-task.ts";
export { changeFeature, createFeature } from "../../src/operations/features.ts";
export { answerQuestion } from "../../src/operations/inbox.ts";
export { rejectSuggestion } from "../../src/operations/inbox-proposals.ts";
export { addLearning } from "../../src/operations/learnings.ts";
export { endSession, startSession } from "../../src/operations/sessions.ts";
export { setTaskStatus } from "../../src/operations/task-status.ts";
export { ExchangeError } from "../../src/outside/exchange/exchange-error.ts";
export type { Format } from "../../src/outside/exchange/formats.ts";
export { type Line, linesOf, parseLine } from "../../src/outside/exchange/lines.ts";
export {
  checkFile,
  firstThere,
  namesIn,
  openSource,
  readText,
} from "../../src/outside/exchange/open-source.ts";
export {
  fitPriority,
  fitStatus,
  fitTags,
  fitTitle,
  joined,
  leaveOut,
  NOBODY_WORKS,
  type StatusChoices,
  type StatusWords,
} from "../../src/outside/exchange/rows/fitting.ts";
export { type ForeignTask, taskRows } from "../../src/outside/exchange/rows/foreign-task.ts";
export type { LeftOut, Place, Row } from "../../src/outside/exchange/rows/row.ts";
export type { ReadOptions, ReadSource, Source } from "../../src/outside/exchange/source.ts";
export { proposedWords } from "../../src/projections/board/proposals.ts";
