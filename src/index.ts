/** The public API: open a project, decide, ask, follow, run gates. README.md and docs/gates.md show it at work. */
export { type Config, ConfigError, readConfig } from "./config/config.ts";
export { confirmedConfig, UnconfirmedConfigError } from "./config/confirmed.ts";
export type { Decision } from "./decisions/decide.ts";
export {
  actOnGate,
  decideOnGates,
  declareGates,
  type GateAttempt,
  recordGateAttempt,
  reopenGate,
} from "./decisions/gates.ts";
export { setPolicy } from "./decisions/policies.ts";
export { describeProject, noteProgress } from "./decisions/project.ts";
export { Refusal, type RefusalCode } from "./decisions/refusal.ts";
export { endSession, startSession } from "./decisions/sessions.ts";
export type { Environment } from "./events/environment.ts";
export type { NewEvent, StoredEvent } from "./events/event.ts";
export type { AppendCondition, Appended, EventLog } from "./events/log.ts";
export { LogError, type LogErrorCode } from "./events/log-error.ts";
export type { GateDeclaration } from "./events/types/gates.ts";
export type { Event, EventType, PayloadOf } from "./events/types/index.ts";
export { recordInterrupted } from "./gates/interrupted.ts";
export { type GateRun, type GateRunner, type GatesToRun, runGates } from "./gates/run-gates.ts";
export { RunnerError } from "./gates/runner/runner-error.ts";
export { type Clause, criteriaOf, type GateLine, gatesOf } from "./gates/syntax/gate-line.ts";
export { GateSyntaxError } from "./gates/syntax/gate-syntax-error.ts";
export { parseGateLine } from "./gates/syntax/parse.ts";
export { printGateLine } from "./gates/syntax/print.ts";
export { acceptTask, sendBackTask } from "./operations/acceptance.ts";
export { addComment, changeComment, deleteComment } from "./operations/comments.ts";
export { deleteTask } from "./operations/delete-task.ts";
export {
  changeDiscipline,
  createDiscipline,
  type DisciplineFields,
  deleteDiscipline,
} from "./operations/disciplines.ts";
export { enrichTask } from "./operations/enrich-task.ts";
export {
  addContextFile,
  changeFeature,
  createFeature,
  deleteFeature,
  type FeatureFields,
} from "./operations/features.ts";
export { answerQuestion, dismissItem, resolveBlocker } from "./operations/inbox.ts";
export { approveSuggestion, rejectSuggestion } from "./operations/inbox-proposals.ts";
export { undo } from "./operations/inbox-undo.ts";
export { addLearning, markLearning, splitLearning } from "./operations/learnings.ts";
export { setTaskStatus } from "./operations/task-status.ts";
export { changeTask, createTask, type NewTask, type TaskChange } from "./operations/tasks.ts";
export {
  type InitOptions,
  initProject,
  openProject,
  type Project,
  type ProjectOptions,
  readModelPathIn,
} from "./project/project.ts";
export type { GateRunView } from "./projections/queries/gate-runs.ts";
export type { InboxItem } from "./projections/queries/inbox-item.ts";
export type { KeptLearning } from "./projections/queries/kept-learning.ts";
export type { Learning, LearningFilter } from "./projections/queries/learnings.ts";
export type { Metrics } from "./projections/queries/metrics/metrics.ts";
export type { MetricsOptions } from "./projections/queries/metrics/scope.ts";
export type { ProjectInfo, ProjectProgress } from "./projections/queries/project.ts";
export type { ProofOfDone } from "./projections/queries/proof-of-done.ts";
export type { SessionDetails } from "./projections/queries/session-details.ts";
export type { SessionOutcome } from "./projections/queries/sessions.ts";
export type { TaskDetails, TaskFilter, TaskView } from "./projections/queries/tasks.ts";
export { ReadModelError } from "./projections/read-model-error.ts";
export type { Point } from "./replay/time-travel/point-at.ts";
export { PointError } from "./replay/time-travel/point-error.ts";
