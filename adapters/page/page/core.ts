/** The page's ports in the browser: nothing here may need Node. Types cost nothing there. */

export type { Role } from "../../../src/config/roles.ts";
export { deniedWords } from "../../../src/events/types/denied-words.ts";
export type { TaskStatus } from "../../../src/events/types/fields.ts";
export {
  type LearningMark,
  learningKinds,
  learningMarks,
  learningScopes,
} from "../../../src/events/types/learning-words.ts";
export type { SessionState } from "../../../src/events/types/sessions.ts";
export type { Verb } from "../../../src/events/types/signals.ts";
export { priorities, taskStatuses } from "../../../src/events/types/task-words.ts";
export { didInWords, findingInWords, kindsInWords } from "../../../src/events/types/work-words.ts";
export type { StateChange } from "../../../src/history/time-travel/compare-states.ts";
export { isBlank } from "../../../src/lib/blank.ts";
export { csvLines } from "../../../src/lib/csv.ts";
export { errorMessage } from "../../../src/lib/error-message.ts";
export { bytes, clockLength, counted, dayInWords, dollars, ordinal } from "../../../src/lib/readable.ts";
export { hitsIn, wordsIn } from "../../../src/lib/search-words.ts";
export { turns } from "../../../src/lib/turns.ts";
export { oneLine, visible, visibleLines } from "../../../src/lib/visible.ts";
export { isAlarming } from "../../../src/outside/fleet/alarming.ts";
export { isAtLeast, roleForItem } from "../../../src/outside/people/roles.ts";
export type { Blocker, Question, Session } from "../../../src/projections/board/tables.ts";
export type { Card, CardFilter } from "../../../src/queries/cards.ts";
export type { GateRunHead } from "../../../src/queries/gate-runs.ts";
export {
  budgetWords,
  followed,
  LOOP_LOOKS,
  type LoopState,
  type LoopsView,
  limitWords,
  viewLoops,
} from "../../../src/queries/labels/loop-words.ts";
export { phaseLooks } from "../../../src/queries/labels/phases.ts";
export type { MarkKind } from "../../../src/queries/marks.ts";
export type { Neighbour, Neighbours } from "../../../src/queries/neighbours.ts";
export type { EnteredState, SessionLine } from "../../../src/queries/session-list.ts";
export type { TaskSummary } from "../../../src/queries/task-summary.ts";
export type { CardKind } from "../../../src/queries/timeline-facts.ts";
