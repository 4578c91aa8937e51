import {
  observeAgentEnd,
  observeAgentStart,
  observeAgentUsage,
} from "../../src/decisions/rules/observations.ts";
import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import { actOnGate, recordGateAttempt } from "../../src/operations/gates.ts";
import { answerQuestion, dismissItem, resolveBlocker } from "../../src/operations/inbox.ts";
import { approveSuggestion, rejectSuggestion } from "../../src/operations/inbox-proposals.ts";
import { undo } from "../../src/operations/inbox-undo.ts";
import { endSession, observeFiles, startSession, startSessionApart } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import type { Case } from "./cases.ts";
import { BLOCKER, DRAFT, PROPOSAL, QUESTION } from "./given.ts";
import { agentEnd, agentStart } from "./samples.ts";

const dismissed = (id: number) => dismissItem({ id });
const undone = (id: number) => undo({ id });
const answered = answerQuestion({ id: QUESTION, answer: "Tabs." });
const resolved = resolveBlocker({ id: BLOCKER });
const approved = approveSuggestion({ id: PROPOSAL });
const rejected = rejectSuggestion({ id: PROPOSAL });

/** A question, a blocker and a proposal like those of the project, at positions 13 to 15; the draft is task 5. */
const second = [
  createTask({ title: "Four" }),
  startSession({ task: 4, session: "s-4" }),
  { session: "s-4", task: 4, verb: "ask", args: { question: "Spaces?", blocking: true } },
  { session: "s-4", task: 4, verb: "blocked", args: { on: "Mongo credentials", kind: "external" } },
  {
    session: "s-4",
    task: 4,
    verb: "suggest",
    args: { what: "Verify the chain", kind: "new_task", why: "x" },
  },
  endSession({ session: "s-4", exit: "exited" }),
] as const;

const fileNames = (count: number) =>
  Array.from({ length: count }, (_, n) => `f${String(n).padStart(4, "0")}`);

const result = { exit_code: 1, timed_out: true, duration_ms: 5, stdout: "out", stderr: "err" };

/** What humans decide on items of the inbox. */
const itemCases: readonly Case[] = [
  {
    what: "an answer",
    before: second,
    asked: answered,
    event: { type: "question.answered", payload: { task: 1, question: QUESTION, answer: "Tabs." } },
    others: [answerQuestion({ id: QUESTION, answer: "No." }), answerQuestion({ id: 13, answer: "Tabs." })],
  },
  {
    what: "a resolution",
    before: second,
    asked: resolved,
    event: { type: "blocker.resolved", payload: { task: 1, blocker: BLOCKER } },
    others: [resolveBlocker({ id: 14 })],
  },
  {
    what: "the dismissal of a question",
    before: second,
    asked: dismissed(QUESTION),
    event: { type: "question.dismissed", payload: { task: 1, question: QUESTION } },
    others: [dismissed(13), dismissed(BLOCKER)],
  },
  {
    what: "the dismissal of a blocker",
    before: second,
    asked: dismissed(BLOCKER),
    event: { type: "blocker.dismissed", payload: { task: 1, blocker: BLOCKER } },
    others: [dismissed(14), dismissed(QUESTION)],
  },
  {
    what: "an approval",
    before: second,
    asked: approved,
    event: { type: "suggestion.approved", payload: { task: DRAFT, suggestion: PROPOSAL } },
    others: [approveSuggestion({ id: 15 }), rejected],
  },
  {
    what: "a rejection",
    before: second,
    asked: rejected,
    event: { type: "suggestion.rejected", payload: { task: DRAFT, suggestion: PROPOSAL } },
    others: [rejectSuggestion({ id: 15 }), approved],
  },
  ...[answered, dismissed(QUESTION)].map((act, index) => ({
    what: `undoing ${index === 0 ? "an answer" : "the dismissal of a question"}`,
    before: [...second, act],
    asked: undone(QUESTION),
    event: { type: "question.reopened" as const, payload: { task: 1, question: QUESTION } },
    others: [undone(13), undone(BLOCKER)],
  })),
  ...[resolved, dismissed(BLOCKER)].map((act, index) => ({
    what: `undoing ${index === 0 ? "a resolution" : "the dismissal of a blocker"}`,
    before: [...second, act],
    asked: undone(BLOCKER),
    event: { type: "blocker.reopened" as const, payload: { task: 1, blocker: BLOCKER } },
    others: [undone(14), undone(QUESTION)],
  })),
  ...[approved, rejected].map((act, index) => ({
    what: `undoing ${index === 0 ? "an approval" : "a rejection"}`,
    before: [...second, act],
    asked: undone(PROPOSAL),
    event: { type: "suggestion.reopened" as const, payload: { task: DRAFT, suggestion: PROPOSAL } },
    others: [undone(15), undone(QUESTION)],
  })),
];

/** What drivers record of sessions and gates. */
export const runCases: readonly Case[] = [
  ...itemCases,
  {
    what: "a session with all there is to say",
    asked: startSession({ task: 2, session: "s-2", force: true, workspace: "abc", driver: "d-1" }),
    event: {
      type: "session.started",
      correlation: "s-2",
      payload: { session: "s-2", task: 2, forced: true, workspace: "abc", driver: "d-1" },
    },
    others: [
      startSession({ task: 2, session: "s-2", force: true, workspace: "abc" }),
      startSession({ task: 2, session: "s-2", workspace: "abc", driver: "d-1" }),
      startSession({ task: 2, session: "s-2", force: true, driver: "d-1" }),
    ],
  },
  {
    what: "a session of a ready task, forced without need",
    before: [createTask({ title: "Four" })],
    asked: startSession({ task: 4, session: "s-2", force: true }),
    event: {
      type: "session.started",
      correlation: "s-2",
      payload: { session: "s-2", task: 4, forced: false },
    },
    others: [startSession({ task: 4, session: "s-3", force: true })],
  },
  {
    what: "a driver's session of a task that says what it makes, beside one that makes other files",
    before: [
      createTask({ title: "Four", output_artifacts: ["src"] }),
      createTask({ title: "Five", output_artifacts: ["docs"] }),
      startSession({ task: 5, session: "s-5" }),
    ],
    asked: startSessionApart(undefined, { task: 4, session: "s-2" }),
    event: {
      type: "session.started",
      correlation: "s-2",
      payload: { session: "s-2", task: 4, forced: false },
    },
    others: [startSessionApart(undefined, { task: 4, session: "s-3" })],
  },
  {
    what: "the end of a session with all there is to say",
    before: [startSession({ task: 2, session: "s-2", force: true })],
    asked: endSession({ session: "s-2", exit: "crashed", workspace: "def", reason: "No memory." }),
    event: {
      type: "session.ended",
      correlation: "s-2",
      payload: { session: "s-2", task: 2, exit: "crashed", workspace: "def", reason: "No memory." },
    },
    others: [endSession({ session: "s-2", exit: "crashed" })],
  },
  {
    what: "the end of a session and no more",
    before: [startSession({ task: 2, session: "s-2", force: true })],
    asked: endSession({ session: "s-2", exit: "exited" }),
    event: {
      type: "session.ended",
      correlation: "s-2",
      payload: { session: "s-2", task: 2, exit: "exited" },
    },
    others: [endSession({ session: "s-2", exit: "cancelled" })],
  },
  {
    what: "an attempt at a gate with all there is to say",
    asked: recordGateAttempt({ task: 1, gate: 1, session: "s-1", ...result }),
    event: {
      type: "gate.attempted",
      correlation: "s-1",
      payload: { task: 1, gate: 1, session: "s-1", command: "npm test", ...resultFromElsewhere(result) },
    },
    others: [recordGateAttempt({ task: 1, gate: 1, session: "s-1", exit_code: 1 })],
  },
  {
    what: "an attempt at a gate and no more",
    asked: recordGateAttempt({ task: 1, gate: 1, exit_code: 0 }),
    event: {
      type: "gate.attempted",
      payload: { task: 1, gate: 1, command: "npm test", ...resultFromElsewhere({ exit_code: 0 }) },
    },
    others: [recordGateAttempt({ task: 1, gate: 1, exit_code: 1 })],
  },
  ...(["retry", "skip", "abort"] as const).map((action, index, actions) => ({
    what: `an action on a gate: ${action}`,
    before: [recordGateAttempt({ task: 1, gate: 1, exit_code: 1 })],
    asked: actOnGate({ task: 1, gate: 1, action }),
    event: { type: "gate.acted" as const, payload: { task: 1, gate: 1, action } },
    others: [actOnGate({ task: 1, gate: 1, action: actions[(index + 1) % 3] ?? "retry" })],
  })),
  {
    what: "the start of an agent",
    asked: observeAgentStart(agentStart("s-1")),
    event: { type: "agent.started", correlation: "s-1", payload: agentStart("s-1") },
    others: [observeAgentStart({ session: "s-1", agent: "claude", server: "connected" })],
  },
  {
    what: "an agent's usage",
    asked: observeAgentUsage({ session: "s-1", turns: 3 }),
    event: { type: "agent.progressed", correlation: "s-1", payload: { session: "s-1", turns: 3 } },
    others: [observeAgentUsage({ session: "s-1", turns: 4 })],
  },
  {
    what: "the end of an agent",
    asked: observeAgentEnd(agentEnd("s-1")),
    event: { type: "agent.ended", correlation: "s-1", payload: agentEnd("s-1") },
    others: [observeAgentEnd({ session: "s-1" })],
  },
  {
    what: "files, in order and each once",
    asked: observeFiles({ session: "s-1", files: ["b", "a", "b"] }),
    event: {
      type: "workspace.reported",
      correlation: "s-1",
      payload: { session: "s-1", task: 1, files: ["a", "b"], more: 0 },
    },
    others: [observeFiles({ session: "s-1", files: ["a", "b"] })],
  },
  {
    what: "more files than are kept",
    asked: observeFiles({ session: "s-1", files: fileNames(1_002) }),
    event: {
      type: "workspace.reported",
      correlation: "s-1",
      payload: { session: "s-1", task: 1, files: fileNames(1_000), more: 2 },
    },
    others: [observeFiles({ session: "s-1", files: [] })],
  },
];
