/** The public API: open a project, decide, ask, follow. README.md shows it at work. */
export { addComment, changeComment, deleteComment } from "./decisions/comments.ts";
export type { Decision } from "./decisions/decide.ts";
export { deleteTask } from "./decisions/delete-task.ts";
export {
  changeDiscipline,
  createDiscipline,
  type DisciplineFields,
  deleteDiscipline,
} from "./decisions/disciplines.ts";
export { enrichTask } from "./decisions/enrich-task.ts";
export {
  addContextFile,
  changeFeature,
  createFeature,
  deleteFeature,
  type FeatureFields,
} from "./decisions/features.ts";
export { actOnGate, type GateAttempt, recordGateAttempt } from "./decisions/gates.ts";
export {
  answerQuestion,
  approveSuggestion,
  dismissItem,
  rejectSuggestion,
  resolveBlocker,
  undo,
} from "./decisions/inbox.ts";
export { addLearning } from "./decisions/learnings.ts";
export { setPolicy } from "./decisions/policies.ts";
export { describeProject, noteProgress } from "./decisions/project.ts";
export { Refusal, type RefusalCode } from "./decisions/refusal.ts";
export { endSession, startSession } from "./decisions/sessions.ts";
export {
  acceptTask,
  changeTask,
  createTask,
  type NewTask,
  sendBackTask,
  setTaskStatus,
  type TaskChange,
} from "./decisions/tasks.ts";
export type { Environment } from "./events/environment.ts";
export type { NewEvent, StoredEvent } from "./events/event.ts";
export type { AppendCondition, Appended, EventLog } from "./events/log.ts";
export { LogError, type LogErrorCode } from "./events/log-error.ts";
export type { Event, EventType, PayloadOf } from "./events/types/index.ts";
export { type InitOptions, initProject, openProject, type Project, type ProjectOptions } from "./project.ts";
export type { InboxItem } from "./projections/queries/inbox.ts";
export type { KeptLearning } from "./projections/queries/kept-learning.ts";
export type { Learning, LearningFilter } from "./projections/queries/learnings.ts";
export type { ProjectInfo, ProjectProgress } from "./projections/queries/project.ts";
export type { SessionOutcome } from "./projections/queries/sessions.ts";
export type { TaskDetails, TaskFilter, TaskView } from "./projections/queries/tasks.ts";
export { ReadModelError } from "./projections/read-model-error.ts";
