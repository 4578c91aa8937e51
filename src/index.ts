/**
 * The public API: open a project, decide, ask, follow, run gates. README.md and docs/gates.md show it at work.
 *
 * @module signalbox
 */
import { decisionOf } from "./api/decision-of.ts";
import * as acceptance from "./operations/acceptance.ts";
import * as comments from "./operations/comments.ts";
import * as deletion from "./operations/delete-task.ts";
import * as disciplines from "./operations/disciplines.ts";
import * as enrichment from "./operations/enrich-task.ts";
import * as features from "./operations/features.ts";
import * as gates from "./operations/gates.ts";
import * as hosts from "./operations/hosts.ts";
import * as inbox from "./operations/inbox.ts";
import * as proposals from "./operations/inbox-proposals.ts";
import * as undoing from "./operations/inbox-undo.ts";
import * as learnings from "./operations/learnings.ts";
import * as policies from "./operations/policies.ts";
import * as progress from "./operations/progress.ts";
import * as project from "./operations/project.ts";
import * as sessions from "./operations/sessions.ts";
import * as taskStatus from "./operations/task-status.ts";
import * as tasks from "./operations/tasks.ts";
import * as work from "./operations/work.ts";

export type { InitOptions, Project, ProjectOptions } from "./api/project.ts";
export { readModelPathIn } from "./api/read-model-path.ts";
export { type Config, ConfigError, readConfig } from "./config/config.ts";
export { confirmedConfig, UnconfirmedConfigError } from "./config/confirmed.ts";
export type { Decided, Decision, PlannedEvent } from "./decisions/decide.ts";
export { Refusal, type RefusalCode } from "./decisions/refusal.ts";
export type { RedactionInput } from "./decisions/rules/redact.ts";
export type { SignalReport } from "./decisions/rules/signal-report.ts";
export type { NewEvent, StoredEvent } from "./events/event.ts";
export type { AppendCondition, Appended, EventLog } from "./events/log.ts";
export type { GateDeclaration } from "./events/types/gates.ts";
export type { Event, EventType, PayloadOf } from "./events/types/index.ts";
export type { Verb } from "./events/types/signals.ts";
export type { GateRun, GatesToRun } from "./gates/run-gates.ts";
export { RunnerError } from "./gates/runner/runner-error.ts";
export { type Clause, criteriaOf, type GateLine, gatesOf } from "./gates/syntax/gate-line.ts";
export { GateSyntaxError } from "./gates/syntax/gate-syntax-error.ts";
export { parseGateLine } from "./gates/syntax/parse.ts";
export { printGateLine } from "./gates/syntax/print.ts";
export type { Damage } from "./history/audit/damage.ts";
export type { Redacted } from "./history/redaction/redact.ts";
export type { Point } from "./history/time-travel/point-at.ts";
export { PointError } from "./history/time-travel/point-error.ts";
export type { Environment } from "./lib/environment.ts";
export { LogError, type LogErrorCode } from "./lib/log-error.ts";
export type { LoopResult } from "./loop/loop-options.ts";
export type { Step } from "./loop/steps.ts";
export {
  exportLog,
  initProject,
  type LoopSettings,
  openProject,
  type Report,
  redactEvent,
  reportSignal,
  runGates,
  runLoop,
  type VerifiedLog,
  verifyLog,
} from "./open.ts";
export type { DisciplineFields } from "./operations/disciplines.ts";
export type { FeatureFields } from "./operations/features.ts";
export type { GateAttempt } from "./operations/gates.ts";
export type { NewTask, TaskChange } from "./operations/tasks.ts";
export type { SessionOutcome } from "./queries/find-sessions.ts";
export type { GateRunView } from "./queries/gate-runs.ts";
export type { InboxItem } from "./queries/inbox-item.ts";
export type { KeptLearning } from "./queries/kept-learning.ts";
export type { Learning, LearningFilter } from "./queries/learnings.ts";
export type { Metrics } from "./queries/metrics/metrics.ts";
export type { MetricsOptions } from "./queries/metrics/scope.ts";
export type { ProjectInfo, ProjectProgress } from "./queries/project.ts";
export type { ProofOfDone } from "./queries/proof-of-done.ts";
export type { SessionDetails } from "./queries/session-details.ts";
export type { TaskDetails, TaskFilter, TaskView } from "./queries/tasks.ts";
export { ReadModelError } from "./read-model/read-model-error.ts";
export type { ReadView } from "./read-model/read-view.ts";

export const acceptTask = decisionOf(acceptance.acceptTask);
export const sendBackTask = decisionOf(acceptance.sendBackTask);
export const addComment = decisionOf(comments.addComment);
export const changeComment = decisionOf(comments.changeComment);
export const deleteComment = decisionOf(comments.deleteComment);
export const deleteTask = decisionOf(deletion.deleteTask);
export const changeDiscipline = decisionOf(disciplines.changeDiscipline);
export const createDiscipline = decisionOf(disciplines.createDiscipline);
export const deleteDiscipline = decisionOf(disciplines.deleteDiscipline);
export const enrichTask = decisionOf(enrichment.enrichTask);
export const addContextFile = decisionOf(features.addContextFile);
export const changeFeature = decisionOf(features.changeFeature);
export const createFeature = decisionOf(features.createFeature);
export const deleteFeature = decisionOf(features.deleteFeature);
export const actOnGate = decisionOf(gates.actOnGate);
export const declareGates = decisionOf(gates.declareGates);
export const decideOnGates = decisionOf(gates.decideOnGates);
export const recordGateAttempt = decisionOf(gates.recordGateAttempt);
export const reopenGate = decisionOf(gates.reopenGate);
export const answerQuestion = decisionOf(inbox.answerQuestion);
export const dismissItem = decisionOf(inbox.dismissItem);
export const resolveBlocker = decisionOf(inbox.resolveBlocker);
export const approveSuggestion = decisionOf(proposals.approveSuggestion);
export const rejectSuggestion = decisionOf(proposals.rejectSuggestion);
export const undo = decisionOf(undoing.undo);
export const loseHost = decisionOf(hosts.loseHost);
export const addLearning = decisionOf(learnings.addLearning);
export const markLearning = decisionOf(learnings.markLearning);
export const splitLearning = decisionOf(learnings.splitLearning);
export const setPolicy = decisionOf(policies.setPolicy);
export const noteProgress = decisionOf(progress.noteProgress);
export const describeProject = decisionOf(project.describeProject);
export const endSession = decisionOf(sessions.endSession);
export const startSession = decisionOf(sessions.startSession);
export const setTaskStatus = decisionOf(taskStatus.setTaskStatus);
export const changeTask = decisionOf(tasks.changeTask);
export const createTask = decisionOf(tasks.createTask);
export const pauseWork = decisionOf(work.pauseWork);
export const resumeWork = decisionOf(work.resumeWork);
export const stopLoop = decisionOf(work.stopLoop);
