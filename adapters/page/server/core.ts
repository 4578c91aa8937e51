/** The page's ports: all that its server takes from the core. */

export type { Project } from "../../../src/api/project.ts";
export { ConfigError } from "../../../src/config/config.ts";
export type { Role } from "../../../src/config/roles.ts";
export { type Decision, decide } from "../../../src/decisions/decide.ts";
export { Refusal } from "../../../src/decisions/refusal.ts";
export { gatesDeclaredAt } from "../../../src/decisions/rules/gate-declarations.ts";
export { noSuchTask, stateOf, wasDeleted } from "../../../src/decisions/state.ts";
export type { Store } from "../../../src/decisions/store.ts";
export { eventAt, lastUpTo } from "../../../src/events/event-at.ts";
export type { EventLog } from "../../../src/events/log.ts";
export {
  position,
  priority,
  type TaskStatus,
  taskId,
  taskStatus,
  taskStatuses,
} from "../../../src/events/types/fields.ts";
export { definitionOf, type Event, eventDefinitions } from "../../../src/events/types/index.ts";
export { learningMarks } from "../../../src/events/types/learnings.ts";
export { REDACTION_TYPE } from "../../../src/events/types/redactions.ts";
export { learningKinds, learningScopes, verbs } from "../../../src/events/types/signals.ts";
export { taskIn } from "../../../src/events/types/subject.ts";
export { byWhom, viaInWords } from "../../../src/events/types/via.ts";
export { type LogFilter, matching } from "../../../src/history/log/filter.ts";
export { rangeWithin } from "../../../src/history/log/range.ts";
export { readLog, readPositions } from "../../../src/history/log/read-log.ts";
export { readFiltered, subjectPositions } from "../../../src/history/log/subject-events.ts";
export { subjectsIn } from "../../../src/history/log/subjects.ts";
export { noSuchType, typesNamed } from "../../../src/history/log/types-named.ts";
export { momentNamed } from "../../../src/history/moments.ts";
export { compareStates } from "../../../src/history/time-travel/compare-states.ts";
export { type History, openHistory } from "../../../src/history/time-travel/history/history.ts";
export { makeToHead } from "../../../src/history/time-travel/history/make-to-head.ts";
export { logUntil } from "../../../src/history/time-travel/log-until.ts";
export { pointAt } from "../../../src/history/time-travel/point-at.ts";
export { PointError } from "../../../src/history/time-travel/point-error.ts";
export { ascending, type CitedEvent } from "../../../src/history/why/cited-events.ts";
export { type ItemStep, promptCounts, promptsWith, whyItem } from "../../../src/history/why/item.ts";
export type { NextStep } from "../../../src/history/why/next.ts";
export type { Rule } from "../../../src/history/why/rules.ts";
export { changesOfTask, type ExplainedChange } from "../../../src/history/why/status.ts";
export { whyTask } from "../../../src/history/why/task.ts";
export { whySession } from "../../../src/history/why/why-session.ts";
export { isBlank } from "../../../src/lib/blank.ts";
export { isOwnOrigin, listenHttp, type Own, type Place } from "../../../src/lib/http/listen.ts";
export { parsedJson } from "../../../src/lib/json.ts";
export { LogError, type LogErrorCode } from "../../../src/lib/log-error.ts";
export { secretValues } from "../../../src/lib/mask-secrets.ts";
export { builtPath } from "../../../src/lib/package-root.ts";
export { shorten } from "../../../src/lib/shorten.ts";
export { DAY_US, fromIsoTime, type Microseconds, toIsoTime, toSqlTime } from "../../../src/lib/time.ts";
export { visible, visibleJson } from "../../../src/lib/visible.ts";
export { describeIssues, faultsByField, inOurWords } from "../../../src/lib/wrong-values.ts";
export { findInOutput } from "../../../src/loop/output/find-in-output.ts";
export { whyNoOutput } from "../../../src/loop/output/no-output.ts";
export { type OutputOf, readEntry, readOutput } from "../../../src/loop/output/output-file.ts";
export { sessionChanges } from "../../../src/loop/session-changes.ts";
export { trustProblems } from "../../../src/loop/trust.ts";
export { addComment } from "../../../src/operations/comments.ts";
export { actOnItem, actsOn, type ItemAct } from "../../../src/operations/inbox-acts.ts";
export { undo } from "../../../src/operations/inbox-undo.ts";
export { MOST_ITEMS } from "../../../src/operations/inbox-words.ts";
export { markLearning, splitLearning } from "../../../src/operations/learnings.ts";
export type { PageWords } from "../../../src/operations/page-words.ts";
export { setTaskStatus } from "../../../src/operations/task-status.ts";
export { ABSENT, changeTask, createTask } from "../../../src/operations/tasks.ts";
export { pauseWork, resumeWork, stopLoop } from "../../../src/operations/work.ts";
export type { LoopControl } from "../../../src/outside/fleet/loop-control.ts";
export type { FleetView, FleetWatch } from "../../../src/outside/fleet/view.ts";
export { ANSWER_PATH } from "../../../src/outside/notices/notice.ts";
export { STALE_LOGIN } from "../../../src/outside/people/explain-login.ts";
export { loginChecks } from "../../../src/outside/people/login-checks.ts";
export { LoginError, type LoginErrorCode } from "../../../src/outside/people/login-error.ts";
export type { Logins } from "../../../src/outside/people/logins.ts";
export { isAtLeast, roleForItem } from "../../../src/outside/people/roles.ts";
export { decidedOn } from "../../../src/projections/all.ts";
export { itemKinds } from "../../../src/projections/board/inbox-tables.ts";
export { policyValue } from "../../../src/projections/board/policies.ts";
export {
  boardTables,
  type IndexedBoard,
  policies,
  type Session,
} from "../../../src/projections/board/tables.ts";
export { learningSources } from "../../../src/projections/learnings.ts";
export {
  type Card,
  type CardCount,
  cardsOf,
  countCards,
  findCard,
} from "../../../src/queries/cards.ts";
export { listDisciplines, listFeatures, listPolicies } from "../../../src/queries/catalogue.ts";
export { changedAt } from "../../../src/queries/changed-at.ts";
export { CHARTS, chart } from "../../../src/queries/charts/charts.ts";
export type { ChartDay } from "../../../src/queries/charts/days.ts";
export { costSince } from "../../../src/queries/costs.ts";
export { findSession } from "../../../src/queries/find-sessions.ts";
export { findTasks } from "../../../src/queries/find-tasks.ts";
export { gateRunHeads, gateRunOutput } from "../../../src/queries/gate-runs.ts";
export {
  choicesOf,
  countInbox,
  findInInbox,
  inboxKeyAt,
  inboxOfTask,
  inboxPage,
} from "../../../src/queries/inbox.ts";
export {
  lastWaited,
  taskWords,
  timesOfItems,
  toldBefore,
} from "../../../src/queries/inbox-context.ts";
export type { InboxItem } from "../../../src/queries/inbox-item.ts";
export type { SeenLoop } from "../../../src/queries/labels/loop-words.ts";
export {
  findLearning,
  type Learning,
  type LearningCount,
  pageOfLearnings,
} from "../../../src/queries/learnings.ts";
export { lastStoppedLoop, runningLoops } from "../../../src/queries/loops.ts";
export {
  countMarks,
  type MarkKind,
  marksAround,
  marksBeside,
} from "../../../src/queries/marks.ts";
export { stoppedProjections } from "../../../src/queries/overview.ts";
export { workPause } from "../../../src/queries/pause.ts";
export { projectInfo } from "../../../src/queries/project.ts";
export { runningSessions } from "../../../src/queries/running-sessions.ts";
export {
  longSession,
  type SessionFilter,
  sessionIndex,
  sessionLines,
  sessionTotals,
} from "../../../src/queries/session-list.ts";
export { sessionView } from "../../../src/queries/session-view.ts";
export { taskSummary } from "../../../src/queries/task-summary.ts";
export { taskTitles } from "../../../src/queries/task-titles.ts";
export { taskInShort } from "../../../src/queries/task-trouble.ts";
export { countReady, countTasks, findTask, taskDetails } from "../../../src/queries/tasks.ts";
export {
  cardPositions,
  countTimelineCards,
  firstStatusChange,
  timelineSections,
} from "../../../src/queries/timeline.ts";
export { type TimelineCard, timelineCards } from "../../../src/queries/timeline-cards.ts";
export { type CardKind, otherKinds } from "../../../src/queries/timeline-facts.ts";
export type { TimelineFilter } from "../../../src/queries/timeline-rows.ts";
export { undoableActs } from "../../../src/queries/undoable-acts.ts";
export { ask } from "../../../src/read-model/ask.ts";
export type { ReadModel } from "../../../src/read-model/read-model.ts";
export { outdated, ReadModelError } from "../../../src/read-model/read-model-error.ts";
export { catchUp, isOutdated } from "../../../src/read-model/worker.ts";
