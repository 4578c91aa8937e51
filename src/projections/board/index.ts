import { defineProjection } from "../projection.ts";
import {
  actOnGate,
  decideOnGate,
  declareGate,
  noteStart,
  recordAttempt,
  recordBaseline,
  reopenGate,
} from "./gates.ts";
import {
  acceptTask,
  acknowledgeFlag,
  actOnBlocker,
  actOnQuestion,
  continueTask,
  decideSuggestion,
  reopenFlag,
  reopenForMerge,
  reopenQuestion,
  sendBackTask,
  undoBlocker,
} from "./humans.ts";
import { keepingUp } from "./keeping.ts";
import { mergeReducers, withdrawMerge } from "./merges.ts";
import { beginPlan, confirmDraft, decidePlan, recordFaults, reopenPlan } from "./plans.ts";
import { storedValue } from "./policies.ts";
import { reopenProposal, suggestEdit } from "./proposals.ts";
import { reportState, startSession, startWithoutTask } from "./session-states.ts";
import { settle } from "./settlement.ts";
import { forgetFailedSetups, recordSetup } from "./setups.ts";
import {
  noteLearning,
  recordAsk,
  recordBlocked,
  recordClosing,
  recordFlag,
  recordSuggest,
} from "./signals.ts";
import { boardTables } from "./tables.ts";
import { changeTask, createTask, deleteTask, enrichTask, setStatus } from "./tasks.ts";
import { recordWork } from "./work.ts";

/** The board: the tables of settlement and of human acts. */
export const board = defineProjection({
  name: "board",
  version: 25,
  tables: boardTables,
  absorbed: ["flags", "merges"],
  on: keepingUp({
    "task.created": (event, rows) => createTask(rows, event),
    "task.changed": (event, rows) => changeTask(rows, event),
    "task.enriched": (event, rows) => enrichTask(rows, event),
    "task.status_set": (event, rows) => {
      const { status } = event.payload;
      setStatus(rows, event);
      forgetFailedSetups(rows, event.payload.task);
      if (status !== "done") withdrawMerge(rows, event, `the task was set ${status}`);
    },
    "task.accepted": (event, rows) => acceptTask(rows, event),
    "task.sent_back": (event, rows) => sendBackTask(rows, event),
    "task.continued": (event, rows) => continueTask(rows, event),
    "task.deleted": (event, rows) => {
      deleteTask(rows, event);
      withdrawMerge(rows, event, "the task was deleted");
    },
    "feature.created": ({ payload, position }, rows) =>
      rows.featureNames.insert({ name: payload.feature, position }),
    "feature.deleted": ({ payload }, rows) => rows.featureNames.delete(payload.feature),
    "discipline.created": ({ payload, position }, rows) =>
      rows.disciplineNames.insert({ name: payload.discipline, position }),
    "discipline.deleted": ({ payload }, rows) => rows.disciplineNames.delete(payload.discipline),
    "policy.set": ({ payload, position }, rows) => {
      rows.policies.delete(payload.policy);
      rows.policies.insert({ name: payload.policy, value: storedValue(payload.value), position });
    },

    "session.started": (event, rows) => {
      const { task, ...start } = event.payload;
      if (task === undefined) return startWithoutTask(rows, event, { ...start, implicit: false });
      startSession(rows, event, { ...start, task, implicit: false });
      withdrawMerge(rows, event, "a session of the task has started");
      forgetFailedSetups(rows, task);
    },
    "session.state_reported": (event, rows) => reportState(rows, event),
    "session.work": (event, rows) => recordWork(rows, event),
    "session.ended": (event, rows) => settle(rows, event),

    "signal.done": (event, rows) => recordClosing(rows, event, "done", event.payload.summary),
    "signal.partial": (event, rows) => recordClosing(rows, event, "partial", event.payload.remaining),
    "signal.stuck": (event, rows) => recordClosing(rows, event, "stuck", event.payload.reason),
    "signal.ask": (event, rows) => recordAsk(rows, event),
    "signal.blocked": (event, rows) => recordBlocked(rows, event),
    "signal.suggest": (event, rows) => recordSuggest(rows, event),
    "signal.flag": (event, rows) => recordFlag(rows, event),
    "signal.learned": (event, rows) => noteLearning(rows, event),

    "gate.declared": (event, rows) => declareGate(rows, event, event.payload),
    "gate.approved": (event, rows) => decideOnGate(rows, event, "approved"),
    "gate.rejected": (event, rows) => decideOnGate(rows, event, "rejected"),
    "gate.reopened": (event, rows) => reopenGate(rows, event),
    "gate.started": (event, rows) => noteStart(rows, event),
    "gate.attempted": (event, rows) => recordAttempt(rows, event),
    "gate.baselined": (event, rows) => recordBaseline(rows, event),
    "gate.acted": (event, rows) => actOnGate(rows, event),

    "question.answered": (event, rows) =>
      actOnQuestion(rows, event, { state: "answered", answer: event.payload.answer }),
    "question.dismissed": (event, rows) => actOnQuestion(rows, event, { state: "dismissed", answer: null }),
    "question.reopened": (event, rows) => reopenQuestion(rows, event),
    "blocker.resolved": (event, rows) => actOnBlocker(rows, event, "resolved"),
    "blocker.dismissed": (event, rows) => actOnBlocker(rows, event, "dismissed"),
    "blocker.reopened": (event, rows) => undoBlocker(rows, event),
    ...mergeReducers,
    "merge.reopened": (event, rows) => {
      reopenForMerge(rows, event);
      mergeReducers["merge.reopened"](event, rows);
    },
    "task.edit_suggested": (event, rows) => suggestEdit(rows, event),
    "suggestion.approved": (event, rows) => decideSuggestion(rows, event, "approved"),
    "suggestion.rejected": (event, rows) => decideSuggestion(rows, event, "rejected"),
    "suggestion.reopened": (event, rows) => reopenProposal(rows, event, event.payload.suggestion),
    "plan.begun": (event, rows) => beginPlan(rows, event),
    "plan.confirmed": (event, rows) => confirmDraft(rows, event),
    "plan.checked": (event, rows) => recordFaults(rows, event),
    "plan.approved": (event, rows) => decidePlan(rows, event, "approved"),
    "plan.rejected": (event, rows) => decidePlan(rows, event, "rejected"),
    "plan.reopened": (event, rows) => reopenPlan(rows, event),
    "flag.acknowledged": (event, rows) => acknowledgeFlag(rows, event),
    "flag.reopened": (event, rows) => reopenFlag(rows, event),
    "workspace.prepared": (event, rows) => recordSetup(rows, event),
  }),
});
