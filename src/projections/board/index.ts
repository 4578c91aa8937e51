import { defineProjection } from "../projection.ts";
import { actOnGate, decideOnGate, declareGate, noteStart, recordAttempt, reopenGate } from "./gates.ts";
import {
  acceptTask,
  actOnBlocker,
  actOnQuestion,
  decideSuggestion,
  reopenForMerge,
  reopenQuestion,
  sendBackTask,
  undoBlocker,
} from "./humans.ts";
import { reopenProposal } from "./proposals.ts";
import { reportState, startSession } from "./sessions.ts";
import { settle } from "./settlement.ts";
import { countSignal, recordAsk, recordBlocked, recordClosing, recordSuggest } from "./signals.ts";
import { keepingSubjects } from "./subjects.ts";
import { boardTables } from "./tables.ts";
import { changeTask, createTask, deleteTask, enrichTask, setStatus } from "./tasks.ts";

/** The board: everything that settlement writes, and the acts of humans on it (rules.md). */
export const board = defineProjection({
  name: "board",
  version: 11,
  tables: boardTables,
  on: keepingSubjects({
    "task.created": (event, rows) => createTask(rows, event),
    "task.changed": (event, rows) => changeTask(rows, event),
    "task.enriched": (event, rows) => enrichTask(rows, event),
    "task.status_set": (event, rows) => setStatus(rows, event),
    "task.accepted": (event, rows) => acceptTask(rows, event),
    "task.sent_back": (event, rows) => sendBackTask(rows, event),
    "task.deleted": (event, rows) => deleteTask(rows, event),
    "feature.created": ({ payload, position }, rows) =>
      rows.featureNames.insert({ name: payload.feature, position }),
    "feature.deleted": ({ payload }, rows) => rows.featureNames.delete(payload.feature),
    "discipline.created": ({ payload, position }, rows) =>
      rows.disciplineNames.insert({ name: payload.discipline, position }),
    "discipline.deleted": ({ payload }, rows) => rows.disciplineNames.delete(payload.discipline),
    "policy.set": ({ payload, position }, rows) => {
      rows.policies.delete(payload.policy);
      rows.policies.insert({ name: payload.policy, value: payload.value, position });
    },

    "session.started": (event, rows) => startSession(rows, event, { ...event.payload, implicit: false }),
    "session.state_reported": (event, rows) => reportState(rows, event),
    "session.ended": (event, rows) => settle(rows, event),

    "signal.done": (event, rows) => recordClosing(rows, event, "done", event.payload.summary),
    "signal.partial": (event, rows) => recordClosing(rows, event, "partial", event.payload.remaining),
    "signal.stuck": (event, rows) => recordClosing(rows, event, "stuck", event.payload.reason),
    "signal.ask": (event, rows) => recordAsk(rows, event),
    "signal.blocked": (event, rows) => recordBlocked(rows, event),
    "signal.suggest": (event, rows) => recordSuggest(rows, event),
    "signal.flag": (event, rows) => countSignal(rows, event),
    "signal.learned": (event, rows) => countSignal(rows, event),

    "gate.declared": (event, rows) => declareGate(rows, event, event.payload),
    "gate.approved": (event, rows) => decideOnGate(rows, event, "approved"),
    "gate.rejected": (event, rows) => decideOnGate(rows, event, "rejected"),
    "gate.reopened": (event, rows) => reopenGate(rows, event),
    "gate.started": (event, rows) => noteStart(rows, event),
    "gate.attempted": (event, rows) => recordAttempt(rows, event),
    "gate.acted": (event, rows) => actOnGate(rows, event),

    "question.answered": (event, rows) =>
      actOnQuestion(rows, event, { state: "answered", answer: event.payload.answer }),
    "question.dismissed": (event, rows) => actOnQuestion(rows, event, { state: "dismissed", answer: null }),
    "question.reopened": (event, rows) => reopenQuestion(rows, event),
    "blocker.resolved": (event, rows) => actOnBlocker(rows, event, "resolved"),
    "blocker.dismissed": (event, rows) => actOnBlocker(rows, event, "dismissed"),
    "blocker.reopened": (event, rows) => undoBlocker(rows, event),
    "merge.reopened": (event, rows) => reopenForMerge(rows, event),
    "suggestion.approved": (event, rows) => decideSuggestion(rows, event, "approved"),
    "suggestion.rejected": (event, rows) => decideSuggestion(rows, event, "rejected"),
    "suggestion.reopened": (event, rows) => reopenProposal(rows, event, event.payload.suggestion),
  }),
});
